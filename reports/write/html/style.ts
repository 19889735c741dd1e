import { styleBase } from './style-base.ts';
import { styleMedia } from './style-media.ts';
import { styleSections } from './style-sections.ts';

/** The page's style. */
export const style = [styleBase, styleSections, styleMedia].join('');
