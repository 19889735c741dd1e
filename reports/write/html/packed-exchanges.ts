import { deflateRawSync } from 'node:zlib';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Characters of markup in one pack, which is unpacked as a whole. */
const characters = 1_000_000;
/** The most characters of all packs. */
const mostPacked = 1_600_000;

/** Exchanges that only the page's script shows. */
export interface PackedExchanges {
  readonly markup: readonly Markup[];
  readonly count: number;
}

/**
 * Packs exchanges in groups, each a JSON list of markup, deflated, in base64, in a template that the browser does not
 * parse as markup. Stops before the page becomes too large.
 */
export function packExchanges(exchanges: Iterable<Markup>): PackedExchanges {
  const markup: Markup[] = [];
  let [count, size] = [0, 0];
  for (const group of groupsOf(exchanges)) {
    const packed = deflateRawSync(JSON.stringify(group)).toString('base64');
    size += packed.length;
    if (size > mostPacked) break;
    markup.push(html`<template class="pack" data-first="${count}" data-count="${group.length}">${packed}</template>`);
    count += group.length;
  }
  return { markup, count };
}

function* groupsOf(exchanges: Iterable<Markup>): Generator<string[]> {
  let group: string[] = [];
  let room = characters;
  for (const { source } of exchanges) {
    if (room < source.length && group.length > 0) {
      yield group;
      group = [];
      room = characters;
    }
    group.push(source);
    room -= source.length;
  }
  if (group.length > 0) yield group;
}
