import type { Think } from './assistant-rules.ts';
import type { AnswerMode, Log } from './exchange.ts';

export interface IntegratorOptions {
  /** The brand in the service's header names and id fields. Default `Svc`, as in the interface document. */
  brand?: string;
  /** Bearer token of the CRM webhook. */
  crmToken: string;
  /** Secret of the webhook subscription. */
  hookSecret: string;
  /** Secret of the own-AI assistant, `whsec_` included. */
  agentSecret: string;
  /** API key for replies that follow later, and for API v1. */
  apiKey: string;
  /** Address of the service, without `/v1`. Default: nothing is written through API v1. */
  baseUrl?: string;
  /** Default `now`. */
  answer?: AnswerMode;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Milliseconds; default the machine's clock. */
  now?: () => number;
  /** Bytes; default 4 MiB. */
  maxBodyBytes?: number;
  /** Time limit of our own requests in milliseconds; default 10 s. */
  postTimeoutMs?: number;
  /** Replaces the example's few rules, in chat and on the phone. */
  think?: Think;
  /** Milliseconds that the service has for closing a call after session.ended; default 3 s. */
  hangUpMs?: number;
  /** Milliseconds that shutting down waits for what is under way; default 3 s. */
  closeGraceMs?: number;
  /** Default standard error. */
  log?: Log;
}
