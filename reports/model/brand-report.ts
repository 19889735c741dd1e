import { Brand } from '../../specs/brand.ts';
import type { Exchange, Report } from '../../specs/generated/types.ts';

/** The report of a run, which has the names of the document, with those of its brand: as sent, and as published. */
export function brandedReport(report: Report): Report {
  return mapped(report, (exchange, brand) => mappedExchange(exchange, brand));
}

/** A published report with the names of the document, for code that compares it with ours or repeats what it shows. */
export function unbrandedReport(report: Report): Report {
  return mapped(report, (exchange, brand) => {
    const { response, ...rest } = mappedExchange(exchange, brand);
    // The size of an answer is that on the wire; the body that is compared with it is now another one.
    return { ...rest, ...(response && { response: sized(response, exchange.response?.body ?? '') }) };
  });
}

function mapped(report: Report, mapExchange: (exchange: Exchange, brand: Brand) => Exchange): Report {
  const brand = Brand.named(report.brand);
  if (brand.isDocuments) return report;
  // The command of the endpoint and what it printed are not ours.
  const { exchanges, target, start, logs, ...rest } = report;
  return {
    ...brand.value(rest),
    target,
    exchanges: exchanges.map((exchange) => mapExchange(exchange, brand)),
    ...(start && { start }),
    ...(logs && { logs }),
  };
}

/** Maps exactly what is mapped on the wire, so that the record shows what was there. */
function mappedExchange({ label, detail, request, response, ...rest }: Exchange, brand: Brand): Exchange {
  const isOwn = rest.kind === 'http' || rest.kind === 'call';
  const headers = request.headers.map(([name = '', ...value]) => [brand.text(name), ...value]);
  const sent = {
    ...request,
    headers,
    ...(!(isOwn && brand.isSigned(request.headers)) && { body: brand.json(request.body) }),
  };
  return {
    ...rest,
    label: brand.text(label),
    ...(detail !== undefined && { detail: brand.text(detail) }),
    request: isOwn ? sized(sent, request.body) : sent,
    ...(response && { response: { ...response, ...(isOwn && { body: brand.json(response.body) }) } }),
  };
}

/** Adjusts the size of a body to another spelling of its names. */
function sized<Part extends { body: string; bodyBytes?: number }>(part: Part, before: string): Part {
  if (part.bodyBytes === undefined || part.body === before) return part;
  return { ...part, bodyBytes: part.bodyBytes + Buffer.byteLength(part.body) - Buffer.byteLength(before) };
}
