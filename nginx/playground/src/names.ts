// Names that do not exist, where they stand in the URL, with the nearest that does.
import {
  type Attribute,
  attributeOf,
  attributesOf,
  type ContentType,
  hasParts,
  isScalar,
  type Model,
  routeOf,
  targetsOf,
} from './model';
import { type Filters, isGroup, type Query, type Selection } from './query';
import { type Name, namesIn } from './query_string';

// `place`: the key that the name stands in, or the one above it, in bracket notation.
export interface QueryError {
  place: string;
  name: string; // '': the server names none
  message: string;
  nearest: string; // '': none is near
}

// How many letters must be added, removed, changed or swapped with their neighbour.
function distance(a: string, b: string): number {
  let last: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + Number(a[i - 1] !== b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], last[j - 2] + 1);
    }
    [last, row] = [row, next];
  }
  return row[b.length];
}

export function nearest(name: string, candidates: Iterable<string>): string {
  let best = '';
  let least = Math.max(2, Math.ceil(name.length / 2)) + 1;
  for (const candidate of candidates) {
    const far = distance(name.toLowerCase(), candidate.toLowerCase());
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

const typeNames = (types: ContentType[]): string => types.map((type) => type.name).join(', ');

export function findErrors(query: Query, model: Model): QueryError[] {
  const errors: QueryError[] = [];

  const report = (place: string, name: string, candidates: string[], what: string): void => {
    errors.push({ place, name, message: `${name} is not ${what}`, nearest: nearest(name, candidates) });
  };

  // Where a path of relations leads.
  function follow(path: string[], types: ContentType[]): { attribute?: Attribute; targets: ContentType[] } {
    let attribute: Attribute | undefined;
    let targets = types;
    for (const name of path) {
      attribute = attributeOf(targets, name);
      targets = attribute ? targetsOf(model, attribute) : [];
    }
    return { attribute, targets };
  }

  function checkPath(path: string[], types: ContentType[], place: string, what: string): void {
    let at = types;
    let inside = place;
    for (const name of path) {
      const attribute = attributeOf(at, name);
      if (!attribute) {
        if (at.length)
          report(
            inside,
            name,
            attributesOf(at).map((one) => one.name),
            `${what} of ${typeNames(at)}`,
          );
        return;
      }
      inside += `[${name}]`;
      at = targetsOf(model, attribute);
    }
  }

  function checkFilters(filters: Filters, types: ContentType[], place: string): void {
    for (const filter of filters) {
      checkPath(filter.path, types, place, 'an attribute');
      const inside = filter.path.reduce((key, name) => `${key}[${name}]`, place);
      const { attribute, targets } = follow(filter.path, types);
      if (isGroup(filter)) {
        for (const member of filter.members) checkFilters(member, targets, `${inside}[${filter.operator}]`);
        continue;
      }
      const known = attribute?.filter.map(({ name }) => name) ?? [];
      if (known.length && !known.includes(filter.operator))
        report(
          inside + (filter.negated ? '[$not]' : ''),
          filter.operator,
          known,
          `an operator of ${filter.path.at(-1)}`,
        );
    }
  }

  function checkSelection(selection: Selection, types: ContentType[], place: string): void {
    const key = (name: string): string => (place ? `${place}[${name}]` : name);
    if (types.length) {
      const attributes = attributesOf(types);
      const scalars = attributes.filter(isScalar).map(({ name }) => name);
      for (const name of selection.fields)
        scalars.includes(name) || report(key('fields'), name, scalars, `a field of ${typeNames(types)}`);
      const others = attributes.filter((one) => !isScalar(one)).map(({ name }) => name);
      for (const name of selection.populate.keys())
        others.includes(name) || report(key('populate'), name, others, `populated in ${typeNames(types)}`);
      for (const { path } of selection.sort) checkPath(path.split('.'), types, key('sort'), 'an attribute');
      checkFilters(selection.filters, types, key('filters'));
    }
    for (const [name, member] of selection.populate) {
      const attribute = attributeOf(types, name);
      const below = attribute ? targetsOf(model, attribute) : [];
      const inside = `${key('populate')}[${name}]`;
      if (attribute && hasParts(attribute))
        for (const uid of member.parts.keys())
          attribute.targets.includes(uid) || report(`${inside}[on]`, uid, attribute.targets, `a part of ${name}`);
      checkSelection(member, below, inside);
      for (const [uid, part] of member.parts) {
        const type = model.types.get(uid);
        checkSelection(part, type ? [type] : [], `${inside}[on][${uid}]`);
      }
    }
  }

  const found = routeOf(model, query.path);
  if (!found) {
    const paths = model.routes.map((route) => route.path);
    report('', query.path, paths, 'a route');
  }
  checkSelection(query.root, found ? [found.route.type] : [], '');
  return errors;
}

export type Marked = Name & { error: QueryError };

// Where errors stand in the text of the URL, in its order. Their place may be but the beginning of
// where the name stands: the server says no more of some.
export function locate(text: string, errors: QueryError[]): Marked[] {
  const found: Marked[] = [];
  const query = text.indexOf('?') + 1;
  const path = query ? text.slice(0, query - 1) : text;
  const names: Name[] = [{ place: '', name: path, start: 0, end: path.length, value: false }];
  if (query)
    for (const name of namesIn(text.slice(query)))
      names.push({ ...name, start: name.start + query, end: name.end + query });
  for (const name of names) {
    const called = errors.filter((one) => one.name && one.name === name.name);
    const error =
      called.find(({ place }) => place === name.place || place === `${name.place}[$eq]`) ??
      called.find(({ place }) => !name.value && name.place.startsWith(place));
    if (error) found.push({ ...name, error });
  }
  return found;
}

// The text with the right name in the place of a wrong one.
export const corrected = (text: string, { start, end, error }: Marked): string =>
  text.slice(0, start) + error.nearest + text.slice(end);
