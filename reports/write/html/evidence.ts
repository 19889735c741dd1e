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
  const anchorOf = (index: number) => `exchange-${index + 1}`;
  const views = report.exchanges.map((exchange, index) => {
    const isCall = exchange.call !== undefined && hasConnection(exchange);
    return { exchange, index, isCall, rank: troubled.has(exchange.id) ? 0 : isCall ? 1 : 2 };
  });
  const show = ({ exchange, index }: (typeof views)[number], isPictured: boolean) => {
    const trouble = troubled.get(exchange.id) ?? [];
    return view(exchange, { anchor: anchorOf(index), trouble, log: logs.get(exchange.id), isPictured });
  };
  let room = writtenCharacters;
  const written = new Set<(typeof views)[number]>();
  for (const one of views.toSorted((a, b) => a.rank - b.rank)) {
    const { length } = show(one, false).source;
    if (room < length) break;
    room -= length;
    written.add(one);
  }
  const others = views.filter((one) => !written.has(one));
  // Rendered one by one, since most exchanges of a large report are not on the page.
  const markupOfOthers = function* () {
    for (const one of others) yield show(one, false);
  };
  const { markup: packs, count: packed } = packExchanges(markupOfOthers());
  const places = new Map<string, Place>();
  for (const { exchange, index } of written) places.set(exchange.id, { anchor: anchorOf(index), isPacked: false });
  for (const { exchange, index } of others.slice(0, packed)) {
    places.set(exchange.id, { anchor: anchorOf(index), isPacked: true });
  }
  const shown = (isCall: boolean) =>
    views.filter((one) => written.has(one) && one.isCall === isCall).map((one) => show(one, true));
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
