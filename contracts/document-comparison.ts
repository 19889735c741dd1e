import { documentFinding, requestFindings, type ComparatorResult } from './document-findings.ts';
import { apiOperation, matchOperation, type OperationId } from '../specs/api-operations.ts';
import { openApiDocument } from '../specs/open-api-document.ts';
import type { ConsumerInteraction } from './consumer-contract.ts';
import type { ContractFinding } from './contract-finding.ts';
import { bodyFindings } from './body-findings.ts';
import { interactionOpenPoints } from './interaction-open-points.ts';
import { requirePackage } from '../harness/checks/require-packages.ts';
import { acceptsStatus } from './pact-matchers.ts';

/** Compares contracts with the OpenAPI document of API v1; keeps the parsed document. */
export class DocumentComparison {
  readonly #comparator: Comparator;

  private constructor(comparator: Comparator) {
    this.#comparator = comparator;
  }

  static async open(): Promise<DocumentComparison> {
    const { Comparator } = (await requirePackage('@pactflow/openapi-pact-comparator')) as unknown as {
      Comparator: new (options: { oas: unknown }) => Comparator;
    };
    // A consumer that expects few fields may match more than one of several branches, which is not a contradiction.
    const text = JSON.stringify(openApiDocument()).replaceAll('"oneOf":', '"anyOf":');
    return new DocumentComparison(new Comparator({ oas: JSON.parse(text) }));
  }

  /** Expectations of an interaction that the document does not meet, and those that the interface leaves open. */
  async compare(interaction: ConsumerInteraction): Promise<ContractFinding[]> {
    const { request, response } = interaction;
    const id = operationOf(interaction);
    const status = comparedStatus(interaction, id);
    const pact = {
      interactions: [
        {
          description: 'one',
          request: {
            method: request.method,
            path: request.path,
            headers: request.headers,
            ...(request.query !== '' && { query: request.query }),
            ...(request.body !== undefined && { body: request.body }),
          },
          response: { status, headers: response.headers, ...(response.body !== undefined && { body: response.body }) },
        },
      ],
    };
    const results: ComparatorResult[] = [];
    try {
      for await (const result of this.#comparator.compare(pact)) results.push(result);
    } catch (error) {
      return [unreadable(interaction, (error as Error).message)];
    }
    const ofBody = (code: string) => results.filter((result) => result.code === code);
    const [refused] = ofBody('request.body.incompatible');
    const findings = [
      ...(refused ? requestFindings(interaction, id, refused) : []),
      ...results.flatMap((result) => documentFinding(interaction, id, status, result) ?? []),
      ...bodyFindings(interaction, id, status, ofBody('response.body.incompatible')),
    ];
    const points = id === undefined ? [] : interactionOpenPoints(interaction, id, status);
    const isNew = ({ assumption }: ContractFinding) => !findings.some((one) => one.assumption === assumption);
    return unique([...findings, ...points.filter(isNew)]);
  }
}

/** An interaction that HTTP cannot carry, for example a header with control characters. */
function unreadable({ index }: ConsumerInteraction, why: string): ContractFinding {
  return {
    kind: 'not-judged',
    place: 'request-header',
    pointer: `/interactions/${index}`,
    expected: 'a request and an answer that HTTP can carry',
    received: why,
    advice: 'Fix the contract.',
  };
}

/** The operation of API v1 that an interaction calls. */
export function operationOf({ request: { method, path } }: ConsumerInteraction): OperationId | undefined {
  const matched = matchOperation(method, path);
  return matched && 'id' in matched ? matched.id : undefined;
}

/** The part of PactFlow's comparator that we use; its own types cannot be resolved. */
interface Comparator {
  compare(pact: object): AsyncIterable<ComparatorResult>;
}

/** A status of the document that the contract accepts, where it accepts several. */
function comparedStatus({ response: { status, matchers } }: ConsumerInteraction, id: OperationId | undefined): number {
  if (id === undefined || matchers.status === undefined) return status;
  const known = Object.keys(apiOperation(id).responses).map(Number);
  return known.includes(status) ? status : (known.find((one) => acceptsStatus(matchers, status, one)) ?? status);
}

/** Removes duplicates: the comparator reports some things twice. */
function unique(findings: readonly ContractFinding[]): ContractFinding[] {
  const keys = findings.map(({ kind, pointer, expected }) => `${kind} ${pointer} ${expected}`);
  return findings.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}
