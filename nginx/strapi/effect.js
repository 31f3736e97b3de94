'use strict';
// What a chain of middlewares does to the query of a request, learned by sending requests through it.
//
// Of each parameter one rule must explain all that was seen: it is kept (and what comes where the request has none is a
// default), it is always the same, or some of its members are picked. A parameter that no rule explains is watched: what
// names it is not known. Then requests with many parameters must come out as the rules foretell.
const { send } = require('./request');
const { sourcesOf } = require('./middlewares');
const { Unknown } = require('./stand_ins');

const standard = ['populate', 'fields', 'sort', 'filters', 'pagination', 'locale', 'status', 'publicationState'];
const unheardOf = 'zzprobe';
const samples = {
  populate: ['*', 'probe', ['probe', 'other'], { probe: 'true' }, { probe: { populate: '*' } }],
  fields: ['probe', ['probe', 'other']],
  sort: ['probe:asc', ['probe:desc', 'other'], { probe: 'asc' }],
  filters: [{ probe: 'a' }, { probe: { $eq: 'a' }, other: { $in: ['1', '2'] } }, { $or: [{ probe: 'a' }] }],
  pagination: [{ page: '7' }, { pageSize: '3', withCount: 'false' }, { start: '1', limit: '2' }],
  locale: ['xx', '*', 'all'],
  status: ['draft', 'published'],
  publicationState: ['preview', 'live'],
};
const anything = ['probe', '', { probe: 'a' }];
const mostWords = 40;
const combinations = 60;

const sorted = (value) =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, sorted(value[key])]),
      )
    : Array.isArray(value)
      ? value.map(sorted)
      : value;
const same = (left, right) => JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));

// The short texts and the numbers of the code, which its conditions may be about; last those that it gives the query.
function wordsOf(source, given) {
  const texts = [...source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n]){1,40}?)\1/g)].flatMap((match) =>
    match[2].split(/[=&?]/),
  );
  const numbers = [...source.matchAll(/(?<![\w.])(\d{1,6})(?![\w.])/g)].flatMap((match) => [
    match[1],
    String(+match[1] + 1),
  ]);
  const words = [...new Set([...numbers.slice(0, 12), ...texts])].filter((word) => /^[\w.*:$/[\]-]+$/.test(word));
  const isGiven = (word) => JSON.stringify(given).includes(word);
  return [...words.filter((word) => !isGiven(word)), ...words.filter(isGiven)].slice(0, mostWords);
}

class Learner {
  constructor(chain, action, stringify) {
    Object.assign(this, { chain, action, stringify, probes: 0, headers: undefined });
    this.seen = { keys: new Set(), address: false };
  }

  // Twice, at other times and by other chances.
  async ask(query) {
    const text = this.stringify(query, { encodeValuesOnly: true });
    const first = await this.send(text, 0);
    if (first.refused) return first;
    const { after, headers, refused } = await this.send(text, 1);
    first.refused = refused;
    if (!same([first.after, first.headers], [after, headers]))
      first.refused ||= 'it does not do the same twice (time or chance)';
    if (!same((this.headers ??= headers), headers)) first.refused ||= 'it sets other headers';
    return first;
  }

  send(text, run) {
    this.probes += 1;
    return send(this.chain, this.action, text, run, this.seen);
  }

  // The members of a parameter that the chain has looked at, as paths.
  members(name) {
    return [...this.seen.keys]
      .map((key) => key.split('\0'))
      .filter((key) => key[0] === name && key.length > 1)
      .map((key) => key.slice(1));
  }

  *values(name) {
    yield* samples[name] || anything;
    yield* this.words;
    for (const word of this.words) yield [word];
    const keys = this.words.filter((word) => /^[A-Za-z_$][\w$]*$/.test(word)).slice(0, 20);
    if (keys.length) yield Object.fromEntries(keys.map((word) => [word, 'probe']));
    const tried = new Set();
    for (
      let found = this.members(name);
      found.length;
      found = this.members(name).filter((at) => !tried.has(at.join('\0')))
    )
      for (const at of found) {
        tried.add(at.join('\0'));
        for (const word of ['probe', ...this.words.slice(0, 12)])
          yield at.reduceRight((value, key) => ({ [key]: value }), word);
      }
  }

  // { rule } or { watched: why }
  async learn(name) {
    const observed = [];
    for (const value of this.values(name)) {
      const { given, after, refused } = await this.ask({ [name]: value });
      if (refused) return { watched: refused };
      const others = Object.keys({ ...after, ...this.base }).filter((other) => other !== name);
      const changed = others.find((other) => !same(after[other], this.base[other]));
      if (changed) return { watched: `it changes ${changed}` };
      observed.push([given[name], after[name]]);
    }
    const rule = this.rules(name).find(({ of }) => observed.every(([given, after]) => same(of(given), after)));
    return rule ? { rule } : { watched: 'what becomes of it depends on its value' };
  }

  rules(name) {
    const absent = this.base[name];
    const members = [...new Set(this.members(name).map(([first]) => first))].filter(
      (key) => !/^(\d+|probe|other|toJSON)$/.test(key),
    );
    const pick = (given) => {
      const picked = Object.entries(Object(given)).filter(
        ([key]) => typeof given === 'object' && members.includes(key),
      );
      return picked.length ? Object.fromEntries(picked) : undefined;
    };
    return [
      { is: 'kept', of: (given) => (given === undefined ? absent : given) },
      { is: 'fixed', of: () => absent },
      { is: 'picked', of: pick, members },
    ];
  }

  async learnAll(source) {
    const { after, refused } = await this.ask({});
    if (refused) throw new Unknown(refused);
    this.base = after;
    this.words = wordsOf(source, after);
    const learned = {};
    const names = () => [
      ...standard,
      unheardOf,
      ...Object.keys(this.base),
      ...[...this.seen.keys].map((key) => key.split('\0')[0]),
      ...(this.seen.address ? this.words.filter((word) => /^[A-Za-z]\w*$/.test(word)) : []),
    ];
    for (let next; (next = names().find((name) => !(name in learned))); ) learned[next] = await this.learn(next);
    return learned;
  }

  // Requests with several parameters, the same ones at each description.
  async verify(rules) {
    const names = Object.keys(rules);
    let state = 7;
    const chance = (below) => (state = (state * 1103515245 + 12345) & 0x7fffffff) % below;
    for (let i = 0; i < combinations; i++) {
      const chosen = names.filter((name, at) => i === 0 || at === i - 1 || chance(2));
      const query = Object.fromEntries(
        chosen.map((name) => [name, (samples[name] || anything)[chance((samples[name] || anything).length)]]),
      );
      const { given, after, refused } = await this.ask(query);
      if (refused) throw new Unknown(refused);
      const wanted = Object.fromEntries(names.map((name) => [name, rules[name].of(given[name])]));
      if (!same(wanted, { ...Object.fromEntries(names.map((name) => [name, undefined])), ...after }))
        throw new Unknown(`parameters depend on each other: ${chosen.join(', ')}`);
    }
  }

  async effect(learned) {
    const entries = Object.entries(learned);
    const rules = Object.fromEntries(entries.filter(([, { rule }]) => rule).map(([name, { rule }]) => [name, rule]));
    await this.verify(rules);
    const isFixed = (name) => rules[name].is === 'fixed';
    const of = (wanted) => Object.keys(rules).filter(wanted);
    const values = (names) => Object.fromEntries(names.map((name) => [name, this.base[name]]));
    const defaults = of((name) => rules[name].is === 'kept' && this.base[name] !== undefined);
    const watched = Object.fromEntries(
      entries.filter(([, { watched: why }]) => why).map(([name, { watched: why }]) => [name, why]),
    );
    const emptyIsAbsent = [];
    for (const name of defaults) {
      const { given, after, refused } = await this.ask({ [name]: '' });
      if (!refused && same(after[name], this.base[name])) emptyIsAbsent.push(name);
      else if (refused || !same(after[name], given[name]))
        watched[name] = refused || 'what becomes of it depends on its value';
    }
    const othersAreDropped = rules[unheardOf] && isFixed(unheardOf);
    return {
      default: values(defaults),
      emptyIsAbsent,
      always: values(of((name) => isFixed(name) && this.base[name] !== undefined)),
      pick: Object.fromEntries(of((name) => rules[name].is === 'picked').map((name) => [name, rules[name].members])),
      dropped: othersAreDropped ? [] : of((name) => isFixed(name) && this.base[name] === undefined),
      keep: othersAreDropped ? of((name) => !isFixed(name) || this.base[name] !== undefined) : undefined,
      watched,
      headers: this.headers,
    };
  }
}

// To keep none of the parameters is something.
const withoutEmpty = ({ keep, ...others }) => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => Object.keys(value).length)),
  ...(keep && { keep }),
});

// { effect } or { unknown: why }, and whether the path was looked at
async function effectOf(chain, action, stringify) {
  const source = [...chain.globals, ...chain.own].map(({ f }) => sourcesOf(f)).join('\n');
  const hasPatterns = /\.(test|exec|match|matchAll|search|replace|split)\s*\(|RegExp/.test(source);
  const learner = new Learner({ ...chain, hasPatterns }, action, stringify);
  try {
    const effect = withoutEmpty(await learner.effect(await learner.learnAll(source)));
    return { effect, address: learner.seen.address };
  } catch (error) {
    if (!(error instanceof Unknown)) throw error;
    return { unknown: error.message, address: learner.seen.address };
  }
}

module.exports = { effectOf, wordsOf };
