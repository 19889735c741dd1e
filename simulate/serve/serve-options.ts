/** The flags of `serve`. */
export interface ServeOptions {
  host?: string;
  port?: number;
  apiKey?: string;
  config?: string;
  target?: string;
  tunnel?: string;
  secrets?: string;
  open?: boolean;
  json?: boolean;
  verbose?: boolean;
  script?: string;
  connect: string[];
  record?: string;
}
