/** Statuses with which proxies answer when a limit is exceeded or the application behind them does not respond. */
const gatewayStatuses: readonly number[] = [502, 503, 504, 509];

/** Whether a proxy in front of the endpoint may have answered; an application that fails answers 500. */
export function isGatewayStatus(status: number): boolean {
  return gatewayStatuses.includes(status);
}
