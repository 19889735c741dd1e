/**
 * `node test/proving/start-client.ts URL`: asks the proving endpoint at URL to run its client against SVC_BASE_URL and
 * waits until it is done. The client itself is a function of the proof and stays in its process.
 */
const { SVC_BASE_URL, SVC_API_KEY, SVC_PROJECT_ID, SVC_AGENT_ID } = process.env;
const response = await fetch(process.argv[2] ?? '', {
  method: 'POST',
  body: JSON.stringify({
    baseUrl: SVC_BASE_URL,
    apiKey: SVC_API_KEY,
    projectId: Number(SVC_PROJECT_ID),
    agentId: Number(SVC_AGENT_ID),
  }),
});
if (!response.ok) {
  console.error(await response.text());
  process.exitCode = 1;
}
