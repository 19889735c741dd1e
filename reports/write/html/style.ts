import type { Report } from '../../../specs/generated/types.ts';
import { styleBase } from './style-base.ts';
import { styleMedia } from './style-media.ts';
import { styleSections } from './style-sections.ts';

/** The style of every page. */
export const style = [styleBase, styleSections, styleMedia].join('');

/** The style of the page of a report: printed pages have the time and seed of the run, and their number. */
export function styleOf({ startedAt, seed }: Report): string {
  // Nothing that ends the string or the style.
  const time = startedAt.replaceAll(/[^\w:.+-]/g, '');
  return `${style}@page {
  @bottom-left { content: "svc-conform report of ${time}, seed ${seed}"; font: 9px sans-serif; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 9px sans-serif; }
}
`;
}
