import { problems, type ProblemCode } from '../specs/api-problems.ts';
import type { ProblemDetails } from '../specs/generated/types.ts';

/** An API error, thrown by the parts of the service and answered as problem details (interface: Errors). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail describes the error of this request; default: the meaning of the code */
  constructor(code: ProblemCode, detail: string = problems[code].detail, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return problems[this.code].status;
  }

  /** The body of the answer: the code is the title (interface: Errors). */
  get body(): ProblemDetails {
    return { type: 'about:blank', title: this.code, status: this.status, detail: this.message };
  }
}
