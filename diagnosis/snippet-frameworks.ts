/** Name of each framework for which there is code, its file in `snippets/TOPIC/`, and its language. */
export const frameworks: Readonly<Record<string, { file: string; language: string }>> = {
  Express: { file: 'express.js', language: 'js' },
  Fastify: { file: 'fastify.js', language: 'js' },
  Flask: { file: 'flask.py', language: 'python' },
  FastAPI: { file: 'fastapi.py', language: 'python' },
  PHP: { file: 'php.php', language: 'php' },
  Spring: { file: 'Spring.java', language: 'java' },
  'ASP.NET': { file: 'AspNet.cs', language: 'csharp' },
  Go: { file: 'main.go', language: 'go' },
};
