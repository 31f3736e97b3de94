// Query strings as the server reads them: the notation of the npm package qs 6.15 with its options
// strictNullHandling, arrayLimit 100, depth 20. Reading never fails.

export type Value = string | null | Value[] | { [key: string]: Value };
export type Dictionary = { [key: string]: Value };

const limit = 100; // of a list's elements; a longer one becomes an object
const depth = 20; // of bracket groups; what follows is one more key, as it is
const parts = 1000;

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype));

// Objects that were lists before these grew too long, with their greatest index.
const overflow = new WeakMap<object, number>();

const isObject = (value: unknown): value is Dictionary => typeof value === 'object' && value !== null;
const isOverflow = (value: unknown): value is Dictionary => isObject(value) && overflow.has(value);

function markOverflow(object: Dictionary, greatest: number): Dictionary {
  overflow.set(object, greatest);
  return object;
}

const indexed = (list: Value[]): Dictionary => ({ ...list }) as unknown as Dictionary;

const bounded = (list: Value[]): Value => (list.length > limit ? markOverflow(indexed(list), list.length - 1) : list);

function append(object: Dictionary, value: Value): Dictionary {
  const index = overflow.get(object)! + 1;
  object[index] = value;
  return markOverflow(object, index);
}

const combine = (a: Value, b: Value): Value => (isOverflow(a) ? append(a, b) : bounded(([] as Value[]).concat(a, b)));

export function decode(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

// Index of the `=` between key and value; -1: there is no value.
function equalsSign(part: string): number {
  const bracket = part.indexOf(']=');
  return bracket < 0 ? part.indexOf('=') : bracket + 1;
}

const nameOf = (segment: string): string =>
  segment.startsWith('[') && segment.endsWith(']') ? segment.slice(1, -1) : segment;

// a[b][c]: the segments a, [b], [c]; null for a key that is dropped.
function segments(key: string): string[] | null {
  const groups = [...key.matchAll(/\[[^[\]]*\]/g)];
  const root = groups.length ? key.slice(0, groups[0].index) : key;
  const found = root ? [root] : [];
  for (const group of groups.slice(0, depth)) found.push(group[0]);
  if (!found.length || !key || found.some((segment) => inherited.has(nameOf(segment)))) return null;
  if (groups.length > depth) found.push(`[${key.slice(groups[depth].index)}]`);
  return found;
}

function nest(chain: string[], leaf: Value): Value {
  return chain.reduceRight<Value>((value, segment) => {
    if (segment === '[]') return isOverflow(value) ? value : combine([], value);
    const name = nameOf(segment);
    const index = name !== segment && /^(0|[1-9]\d*)$/.test(name) ? Number(name) : -1;
    if (index >= 0 && index < limit) {
      const list: Value[] = [];
      list[index] = value;
      return list;
    }
    return index < 0 ? { [name]: value } : markOverflow({ [name]: value }, index);
  }, leaf);
}

function merge(target: Value | undefined, source: Value): Value {
  if (!source) return target ?? null;
  if (!isObject(source)) {
    if (Array.isArray(target))
      return target.length > limit ? bounded([...target, source]) : (target.push(source), target);
    return isOverflow(target) ? append(target, source) : [target ?? null, source];
  }
  if (!isObject(target)) {
    if (!isOverflow(source)) return bounded(([target ?? null] as Value[]).concat(source));
    const moved: Dictionary = { 0: target ?? null };
    for (const [key, value] of Object.entries(source)) moved[Number.parseInt(key) + 1] = value;
    return markOverflow(moved, overflow.get(source)! + 1);
  }
  if (Array.isArray(target) && Array.isArray(source)) {
    source.forEach((item, i) => {
      if (!(i in target)) target[i] = item;
      else if (isObject(target[i]) && isObject(item)) target[i] = merge(target[i], item);
      else target.push(item);
    });
    return target;
  }
  const merged = Array.isArray(target) ? indexed(target) : (target as Dictionary);
  for (const [key, value] of Object.entries(source)) {
    merged[key] = Object.hasOwn(merged, key) ? merge(merged[key], value) : value;
    if (isOverflow(source) && !isOverflow(merged)) markOverflow(merged, overflow.get(source)!);
    if (isOverflow(merged) && /^(0|[1-9]\d*)$/.test(key))
      overflow.set(merged, Math.max(overflow.get(merged)!, Number(key)));
  }
  return merged;
}

// Lists without the holes that indices left.
function compact(value: Value): Value {
  if (Array.isArray(value)) return value.filter(() => true).map(compact);
  if (isObject(value)) for (const key of Object.keys(value)) value[key] = compact(value[key]);
  return value;
}

export function parseQueryString(text: string): Dictionary {
  const found: Dictionary = Object.create(null);
  for (const part of text.replace(/%5B/gi, '[').replace(/%5D/gi, ']').split('&').slice(0, parts)) {
    if (!part) continue;
    const at = equalsSign(part);
    const key = decode(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? null : decode(part.slice(at + 1));
    found[key] = key in found ? combine(found[key], value) : value;
  }
  let tree: Value = {};
  for (const [key, value] of Object.entries(found)) {
    const chain = segments(key);
    if (chain) tree = merge(tree, nest(chain, value));
  }
  return compact(tree) as Dictionary;
}

// Only what would be read as something else; a space is shortest as `+`.
const escape = (text: string): string =>
  text
    .replace(/[%&#+\x00-\x1f\x7f]|\]=/g, (found) => (found === ']=' ? ']%3D' : encodeURIComponent(found)))
    .replace(/ /g, '+');
const escapeKey = (text: string): string => escape(text).replace(/[=[\]]/g, encodeURIComponent);

// Below the deepest group a key is one name, with its brackets.
const member = (key: string, name: string): string =>
  !key
    ? escapeKey(name)
    : name.startsWith('[') && name.endsWith(']')
      ? key + escape(name)
      : `${key}[${escapeKey(name)}]`;

function* written(key: string, value: Value): Generator<string> {
  if (value === null) yield key;
  else if (typeof value === 'string') yield `${key}=${escape(value)}`;
  else if (!Array.isArray(value))
    for (const [name, item] of Object.entries(value)) yield* written(member(key, name), item);
  else if (value.some(isObject)) for (const [i, item] of value.entries()) yield* written(`${key}[${i}]`, item);
  else for (const item of value) yield* written(value.length > 1 ? key : `${key}[]`, item);
}

// The shortest text that is read as this tree. `key`: of a part of a tree, in bracket notation.
export const writeQueryString = (tree: Value, key = ''): string => [...written(key, tree)].join('&');

// A name in the text of a query string, and where it stands: `place` is its key, or the one
// above, in bracket notation without list indices. `value`: it is no name but what a key is set to.
export interface Name {
  place: string;
  name: string;
  value: boolean;
  start: number;
  end: number;
}

// Pieces of text between separators, with their positions.
function* pieces(text: string, start: number, separator: RegExp): Generator<[string, number]> {
  let from = 0;
  for (const found of [...text.matchAll(separator), { 0: '', index: text.length }]) {
    if (found.index! > from) yield [text.slice(from, found.index), start + from];
    from = found.index! + found[0].length;
  }
}

const within = (place: string, name: string): string => (place ? `${place}[${name}]` : name);

// What stands in a value: names of attributes in `fields`, `sort` and `populate`, with commas and dots
// between; else the value as a whole.
function* namesInValue(place: string, text: string, start: number): Generator<Name> {
  const parameter = /(?:^|\[)(sort|populate)\]?$/.exec(place)?.[1];
  if (!parameter) {
    yield { place, name: decode(text).trim(), start, end: start + text.length, value: !/fields\]?$/.test(place) };
    return;
  }
  for (const [item, at] of pieces(text, start, /,|%2C/gi)) {
    const [[path, from] = ['', at], direction] =
      parameter === 'sort' ? pieces(item, at, /:|%3A/gi) : [[item, at] as const];
    let inside = place;
    for (const [raw, begin] of pieces(path, from, /\.|%2E/gi)) {
      const name = decode(raw).trim();
      yield { place: inside, name, start: begin, end: begin + raw.length, value: false };
      inside = parameter === 'sort' ? within(inside, name) : `${within(inside, name)}[populate]`;
    }
    if (direction)
      yield { place, name: direction[0], start: direction[1], end: direction[1] + direction[0].length, value: true };
  }
}

// Every name in the text, in its order.
export function* namesIn(text: string): Generator<Name> {
  let start = 0;
  for (const part of text.split('&')) {
    const equals = equalsSign(part.replace(/%5D/gi, '  ]')); // as long as before
    const key = equals < 0 ? part : part.slice(0, equals);
    let place = '';
    for (const [raw, from] of pieces(key, start, /\]?\[|\]|%5D%5B|%5B|%5D/gi)) {
      const name = decode(raw);
      if (/^\d+$/.test(name)) continue;
      yield { place, name, start: from, end: from + raw.length, value: false };
      place = within(place, name);
    }
    if (equals >= 0) yield* namesInValue(place, part.slice(equals + 1), start + equals + 1);
    start += part.length + 1;
  }
}
