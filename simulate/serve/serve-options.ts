/** The flags of `serve`. */
export interface ServeOptions {
  host?: string;
  port?: number;
  apiKey?: string;
  config?: string;
  tunnel?: string;
  json?: boolean;
  script?: string;
  connect: string[];
  record?: string;
}
