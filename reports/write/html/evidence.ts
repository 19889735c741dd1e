import type { CheckResult, Exchange, Report } from '../../../specs/generated/types.ts';
import { breaksOf } from '../../model/findings.ts';
import type { Break } from '../../text/transcript.ts';
import { brokenPartsOf } from './broken-parts.ts';
import type { BrokenPart } from './broken-parts.ts';
import { exchangeDetails } from './exchange-details.ts';
import { logsByExchange } from './log-lines.ts';
import type { ExchangeLog } from './log-lines.ts';
import { hasConnection } from '../../text/wording.ts';
import type { Markup } from './markup.ts';
import { packExchanges } from './packed-exchanges.ts';

/** The exchanges of a report on the page. */
export interface Evidence {
  /** Written out, in the order of the run, without calls. */
  readonly written: readonly Markup[];
  /** Connected calls that are written out. */
  readonly calls: readonly Markup[];
  /** Packed for the page's script. */
  readonly packs: readonly Markup[];
  readonly packed: number;
  /** Not on the page; report.json has them. */
  readonly omitted: number;
  /** Place of an exchange on the page. */
  readonly placeOf: (id: string) => Place | undefined;
  /** The container log during an exchange. */
  readonly logOf: (id: string) => ExchangeLog | undefined;
}

/** The anchor of an exchange; packed ones get it when they are shown. */
export interface Place {
  readonly anchor: string;
  readonly isPacked: boolean;
}

/**
 * Renders every exchange: as markup up to about `writtenCharacters`, evidence of failures first, then calls, the others packed.
 */
export function gatherEvidence(report: Report, writtenCharacters: number): Evidence {
  const logs = logsByExchange(report);
  const troubled = troubleOf(report.checks);
  const views = report.exchanges.map((exchange, index) => {
    const trouble = troubled.get(exchange.id) ?? [];
    const anchor = `exchange-${index + 1}`;
    const show = (isPictured: boolean) => view(exchange, { anchor, trouble, log: logs.get(exchange.id), isPictured });
    const isCall = exchange.call !== undefined && hasConnection(exchange);
    const rank = trouble.length > 0 ? 0 : isCall ? 1 : 2;
    return { id: exchange.id, anchor, rank, isCall, show, markup: show(false) };
  });
  let room = writtenCharacters;
  const written = new Set<(typeof views)[number]>();
  for (const one of views.toSorted((a, b) => a.rank - b.rank)) {
    if (room < one.markup.source.length) break;
    room -= one.markup.source.length;
    written.add(one);
  }
  const others = views.filter((one) => !written.has(one));
  const { markup: packs, count: packed } = packExchanges(others.map(({ markup }) => markup));
  const places = new Map<string, Place>();
  for (const { id, anchor } of written) places.set(id, { anchor, isPacked: false });
  for (const { id, anchor } of others.slice(0, packed)) places.set(id, { anchor, isPacked: true });
  const shown = (isCall: boolean) =>
    views.filter((one) => written.has(one) && one.isCall === isCall).map(({ show }) => show(true));
  return {
    written: shown(false),
    calls: shown(true),
    packs,
    packed,
    omitted: others.length - packed,
    placeOf: (id) => places.get(id),
    logOf: (id) => logs.get(id),
  };
}

/** The checks that did not pass, by the exchanges that are their evidence. */
function troubleOf(checks: readonly CheckResult[]): Map<string, CheckResult[]> {
  const troubled = new Map<string, CheckResult[]>();
  for (const check of checks) {
    if (check.verdict !== 'fail' && check.verdict !== 'blocked') continue;
    const ids = [...check.evidence, check.brokeAt?.exchange];
    for (const id of new Set(ids.filter((one) => one !== undefined))) {
      const known = troubled.get(id);
      if (known) known.push(check);
      else troubled.set(id, [check]);
    }
  }
  return troubled;
}

interface ViewOptions {
  readonly anchor: string;
  readonly trouble: readonly CheckResult[];
  readonly log: ExchangeLog | undefined;
  readonly isPictured: boolean;
}

/** One exchange may violate several rules, so each failure is shown with its requirement. */
function view(exchange: Exchange, { trouble, ...options }: ViewOptions): Markup {
  const withRequirement = <One extends Break | BrokenPart>(parts: readonly One[], { requirement }: CheckResult) =>
    parts.map((part) => ({ ...part, failure: `${requirement}, ${part.failure}` }));
  const breaks = trouble.flatMap((check) => withRequirement(breaksOf(check, exchange), check));
  const broken = trouble.flatMap((check) => withRequirement(brokenPartsOf(check, exchange), check));
  return exchangeDetails(exchange, { ...options, breaks, broken });
}
