import { recordingServer, type RecordedRequest } from '../server-fixture.ts';

export type SmallRequest = Pick<RecordedRequest, 'headers' | 'rawHeaders' | 'body'>;

export interface SmallAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A server that answers every request with one function. */
export async function smallEndpoint(
  answer: (request: SmallRequest) => SmallAnswer,
): Promise<AsyncDisposable & { url: string; requests: SmallRequest[] }> {
  const server = await recordingServer((request, response) => {
    const { status, headers = {}, body } = answer(request);
    response.writeHead(status, headers).end(body);
  });
  return { ...server, url: `http://${server.host}/` };
}
