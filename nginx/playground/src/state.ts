// What the page knows. Views read it, and change it through the functions here alone.
import { type ServerResponse, ask, type Format, headersOf } from './ask';
import { type Sample, samplesOf, sampleUrl } from './examples';
import { isList, listOf, type Model, type Route, routeOf } from './model';
import { findErrors, type QueryError } from './names';
import { type Query } from './query';
import { readQuery } from './read_query';
import { writeQuery } from './write_query';

export type View = 'query' | 'answer' | 'plan' | 'code';

export interface Past {
  url: string;
  status: number;
  milliseconds: number;
}

export interface State {
  model: Model;
  text: string; // of the URL, as it stands in its field
  query: Query;
  errors: QueryError[];
  response: ServerResponse | null;
  waiting: boolean;
  token: string; // never leaves memory but to the server
  format: Format;
  live: boolean;
  view: View;
  unfolded: Map<string, boolean>; // rows of the tree, by their place, that were opened or closed
  past: Past[];
  samples: Map<string, Sample | null | undefined>; // by the path of their list; null: there is none for the caller
}

export let state: State;
let listener = (): void => {};
let running = new AbortController();
let timer = 0;
let addressTimer = 0;

const storage = 'populate-fcgi.history';
const pastLimit = 50;

function stored(): Past[] {
  try {
    const past = JSON.parse(localStorage.getItem(storage) ?? '[]') as Past[];
    return past.filter(({ url }) => url.startsWith('/')).slice(0, pastLimit);
  } catch {
    return []; // forbidden, or not ours
  }
}

function store(): void {
  try {
    localStorage.setItem(storage, JSON.stringify(state.past));
  } catch {
    // forbidden, or full: the page works without
  }
}

// What is requested where the address has no query: the first list that has entries for the caller.
async function firstList({ routes }: Model, samples: State['samples']): Promise<string> {
  const lists = routes.filter(isList);
  for (const route of lists) {
    const found = await takeSample(route, {});
    samples.set(route.path, found);
    if (found) return route.path;
  }
  return (lists[0] ?? routes[0])?.path ?? '/';
}

async function takeSample(route: Route, headers: HeadersInit): Promise<Sample | null> {
  try {
    const response = await fetch(sampleUrl(route), { headers });
    return response.ok ? (samplesOf(await response.json())[0] ?? null) : null;
  } catch {
    return null;
  }
}

// For the examples of the type that is chosen.
async function sample(): Promise<void> {
  const { model, query, samples } = state;
  const chosen = routeOf(model, query.path)?.route;
  if (!chosen || samples.has(listOf(chosen))) return;
  samples.set(listOf(chosen), undefined);
  const list = model.routes.find(({ path }) => path === listOf(chosen));
  samples.set(listOf(chosen), list ? await takeSample(list, headersOf(state)) : null);
  redraw();
}

export async function start(model: Model, onChange: () => void): Promise<void> {
  const samples: State['samples'] = new Map();
  const text = textOfHash() || (await firstList(model, samples));
  const query = readQuery(text, model);
  state = {
    model,
    text,
    query,
    errors: findErrors(query, model),
    response: null,
    waiting: false,
    token: '',
    format: '',
    live: true,
    view: 'answer',
    unfolded: new Map(),
    past: stored(),
    samples,
  };
  listener = onChange;
  addEventListener('hashchange', () => textOfHash() && textOfHash() !== state.text && setText(textOfHash()));
  void run();
}

export const redraw = (): void => listener();

const textOfHash = (): string => (location.hash.startsWith('#/') ? location.hash.slice(1) : '');

// The address of this page with the query in it.
export const shareLink = (): string => new URL(`#${state.text}`, location.href).href;

const later = (what: () => void, milliseconds: number): number => setTimeout(what, milliseconds) as unknown as number;

// The address follows a little later: it takes Chromium 4 ms, and Safari refuses more than 100 in 30 seconds.
function queryChanged(): void {
  state.errors = findErrors(state.query, state.model);
  clearTimeout(addressTimer);
  addressTimer = later(() => history.replaceState(null, '', `#${state.text}`), 100);
  clearTimeout(timer);
  void sample();
  if (state.live) timer = later(() => void run(true), 250);
  redraw();
}

// Typed or pasted: the tree follows. A whole URL may be pasted.
export function setText(typed: string): void {
  state.text =
    typed
      .replace(/\s*\n\s*/g, '')
      .replace(/^\s*https?:\/\/[^/]*/, '')
      .replace(/#/g, '%23') || '/';
  state.query = readQuery(state.text, state.model);
  queryChanged();
}

// Ticked: the URL follows.
export function edit(change: (query: Query) => void): void {
  change(state.query);
  state.text = writeQuery(state.query, state.model);
  queryChanged();
}

export function setPath(path: string): void {
  const type = (at: string) => routeOf(state.model, at)?.route.type;
  const sameType = type(path) === type(state.query.path);
  state.unfolded.clear();
  if (sameType) edit((query) => void (query.path = path));
  else setText(path);
}

// A query that was chosen as a whole is sent at once, and its response is on show.
export function visit(text: string): void {
  setText(text);
  if (state.view === 'query') state.view = 'answer';
  void run();
}

export function show(view: View): void {
  state.view = view;
  redraw();
}

// What was asked while somebody typed or ticked gives way to what is asked soon after: it was on the way there.
const soon = 5000; // milliseconds
let onTheWay = { url: '', until: 0 };

function remember({ url, status, milliseconds }: ServerResponse, asIGo: boolean): void {
  const now = performance.now();
  const left = now < onTheWay.until ? onTheWay.url : '';
  const isNew = state.past.every((one) => one.url !== url);
  onTheWay = { url, until: asIGo && isNew ? now + soon : 0 };
  const others = state.past.filter((one) => one.url !== url && one.url !== left);
  state.past = [{ url, status, milliseconds }, ...others].slice(0, pastLimit);
  store();
}

export async function run(asIGo = false): Promise<void> {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  const { signal } = running;
  state.waiting = true;
  void sample();
  redraw();
  try {
    state.response = await ask(state.text, headersOf(state), signal);
  } catch {
    return; // a later request is under way
  }
  state.waiting = false;
  remember(state.response, asIGo);
  redraw();
}

// Whether a row of the tree is open: as it was left, else if something in it is asked for.
export const isOpen = (place: string, asked: boolean): boolean => state.unfolded.get(place) ?? asked;

export function fold(place: string, open: boolean): void {
  state.unfolded.set(place, open);
  redraw();
}

export function setToken(token: string): void {
  state.token = token;
  state.samples = new Map();
  redraw();
}

export function forget(): void {
  state.past = [];
  store();
  redraw();
}

// What is wrong, by what the server says of the URL that it was asked, and by the model: names that do not
// exist, for the most part.
export function errors(): QueryError[] {
  const { response, text } = state;
  if (!response || response.url !== text || response.status < 400) return state.errors;
  const said = errorOf(response);
  if (!said.message) return state.errors;
  const known = state.errors.find(({ name, place }) => name === said.name && place.startsWith(said.place));
  const error = { ...said, nearest: '', ...known, message: said.message };
  return [error, ...state.errors.filter((one) => one !== known)];
}

// `message` is empty where the response holds none.
export function errorOf(response: ServerResponse): { message: string; place: string; name: string } {
  const explained = response.explanation?.error;
  if (explained) {
    const { message, place, received: name } = explained;
    const key = `[${name}]`; // of a key, the place has itself at the end
    return { message, name, place: place.endsWith(key) ? place.slice(0, -key.length) : place };
  }
  const message = (response.json as { error?: { message?: string } } | undefined)?.error?.message ?? '';
  const [, place, value] = /^([^: ]+): expected .*, received "(.*)"$/.exec(message) ?? [];
  return { message, place: place ?? '', name: value ?? /^Invalid (?:parameter|key) (\S+)/.exec(message)?.[1] ?? '' };
}
