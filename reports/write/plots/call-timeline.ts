import type { CallFrameRecord, CallRecord } from '../../../specs/generated/types.ts';
import { describeFrame, speechOf } from '../../text/describe-frame.ts';
import type { Markup } from '../html/markup.ts';
import type { Break } from '../../text/transcript.ts';
import { counted, formatDuration } from '../../text/wording.ts';
import { drawPlot } from './draw-plot.ts';
import { isJsonContainer } from '../../../specs/json-object.ts';

/** The kind of a frame in the picture. */
type FrameKind = 'said' | 'key' | 'interrupt' | 'piece' | 'other';

interface Mark {
  readonly atMs: number;
  readonly y: number;
  readonly kind: FrameKind;
}

/** An answer of the AI, from its first piece to its last. */
interface AnswerSpan {
  readonly from: number;
  readonly to: number;
}

/** Pixels; the narrow picture fits a telephone. */
const widths = { wide: 1040, narrow: 330 } as const;
const height = 124;
const upper = 34;
const lower = 76;
const reach = 9;
const lanes = [
  { y: upper, name: 'caller, service', short: 'caller' },
  { y: lower, name: 'AI', short: 'AI' },
];
const across = { y1: () => upper - reach, y2: () => lower + reach };
const within = { y1: ({ y }: Mark) => y - reach, y2: ({ y }: Mark) => y + reach };

/**
 * A call on two lanes over time: the caller and the service above, the AI below. It shows speech and keys, the pieces of
 * each answer, interruptions across both lanes, violations and the end. `undefined` for a call without frames.
 */
export function callTimeline(
  { frames, end }: CallRecord,
  breaks: readonly Break[] = [],
  size: keyof typeof widths = 'wide',
): Markup | undefined {
  if (frames.length === 0) return undefined;
  const marks = frames.map(markOf);
  const of = (kind: FrameKind) => marks.filter((mark) => mark.kind === kind);
  const broken = new Set(breaks.map(({ frame }) => frame));
  const breaking = marks.filter((_, index) => broken.has(frames[index]?.n ?? -1));
  const last = Math.max(end?.atMs ?? 0, ...marks.map(({ atMs }) => atMs), 1);
  return drawPlot({
    label: `${counted(frames.length, 'frame')} over ${formatDuration(last)}: the caller and the service above, the AI below. The table lists them.`,
    options: ({ axisX, dot, link, ruleX, ruleY, text }) => ({
      width: widths[size],
      height,
      margin: 0,
      marginBottom: 28,
      marginLeft: size === 'wide' ? 104 : 50,
      marginRight: size === 'wide' ? 28 : 20,
      x: { type: 'linear', domain: [0, last] },
      y: { type: 'identity', axis: null },
      marks: [
        axisX({
          ticks: size === 'wide' ? 7 : 3,
          tickFormat: (ms: number) => formatDuration(ms),
          tickSize: 4,
          label: null,
          className: 'axis',
        }),
        ruleY(lanes, { y: 'y', className: 'track', ...paint.track }),
        text(lanes, {
          x: () => 0,
          y: 'y',
          text: size === 'wide' ? 'name' : 'short',
          textAnchor: 'end',
          dx: -14,
          className: 'name',
        }),
        link(answersOf(frames), { x1: 'from', x2: 'to', y1: lower, y2: lower, className: 'answer', ...paint.answer }),
        ruleX(of('piece'), { ...within, x: 'atMs', className: 'piece', ...paint.piece }),
        ruleX(of('interrupt'), { ...across, x: 'atMs', className: 'interrupt', ...paint.interrupt }),
        dot(of('interrupt'), { x: 'atMs', y: 'y', r: 5, symbol: 'times', className: 'interrupt', ...paint.cross }),
        dot(of('said'), { x: 'atMs', y: 'y', r: 5.5, className: 'said', ...paint.said }),
        dot(of('key'), { x: 'atMs', y: 'y', r: 5, symbol: 'square', className: 'said', ...paint.said }),
        dot(of('other'), { x: 'atMs', y: 'y', r: 5, symbol: 'diamond', className: 'other', ...paint.other }),
        ruleX(end ? [end] : [], { ...across, x: 'atMs', className: 'limit', ...paint.end }),
        dot(breaking, { x: 'atMs', y: 'y', r: 11, className: 'broken-frame', ...paint.broke }),
        text(breaking, { x: 'atMs', y: 'y', text: () => '✗', dy: 20, className: 'broken-sign', ...paint.sign }),
      ],
    }),
  });
}

// The page's style overrides these; they are for viewers that remove it.
const paint = {
  track: { stroke: '#d5d9df' },
  answer: { stroke: '#0b57b0', strokeOpacity: 0.25, strokeWidth: 2 * reach, strokeLinecap: 'round' },
  piece: { stroke: '#0b57b0', strokeWidth: 2 },
  interrupt: { stroke: '#7d4e00', strokeWidth: 2, strokeDasharray: '5 3' },
  cross: { stroke: '#7d4e00', strokeWidth: 2 },
  said: { fill: '#1a6b32' },
  other: { fill: '#ffffff', stroke: '#565e69', strokeWidth: 2 },
  end: { stroke: '#1a1e24', strokeWidth: 3 },
  broke: { stroke: '#b3261e', strokeWidth: 2.5 },
  sign: { fill: '#b3261e', fontWeight: 700 },
} as const;

function markOf(frame: CallFrameRecord): Mark {
  return { atMs: frame.atMs, y: frame.from === 'ai' ? lower : upper, kind: kindOf(frame) };
}

function kindOf(frame: CallFrameRecord): FrameKind {
  if (frame.from === 'ai') return speechOf(frame) ? 'piece' : 'other';
  if (describeFrame(frame).who !== 'caller') return 'other';
  const type = typeOf(frame.text);
  return type === 'interrupt' ? 'interrupt' : type === 'dtmf' ? 'key' : 'said';
}

function typeOf(text: string): unknown {
  const frame: unknown = JSON.parse(text);
  return isJsonContainer(frame) && 'type' in frame ? frame.type : undefined;
}

/** An answer ends with its closing piece, or earlier with a frame of the caller or the service. */
function answersOf(frames: readonly CallFrameRecord[]): AnswerSpan[] {
  const answers: AnswerSpan[] = [];
  let from: number | undefined;
  let to = 0;
  const close = () => {
    if (from !== undefined) answers.push({ from, to });
    from = undefined;
  };
  for (const frame of frames) {
    const speech = speechOf(frame);
    if (!speech) {
      close();
      continue;
    }
    from ??= frame.atMs;
    to = frame.atMs;
    if (speech.last) close();
  }
  close();
  return answers;
}
