// Asks the server, and has it explain its response.

export interface ServerResponse {
  url: string;
  status: number; // 0: no response came
  milliseconds: number;
  headers: [name: string, value: string][];
  body: Blob; // as it came
  text: string;
  json: unknown; // undefined: the response is none
  stages: [string, number][]; // of the server, in milliseconds
  explanation: Explanation | null; // null: the server gives none
}

// What the explain route answers.
export interface Explanation {
  error: { name: string; message: string; place: string; received: string } | null;
  nodes: PlanNode[];
  total: { sql: string; rows: number; milliseconds: number } | null;
  stages: Record<string, number>;
}

export interface PlanNode {
  node: number;
  parent: number | null;
  attributes: string[];
  path: string;
  source: 'root' | 'link' | 'pairs' | 'target';
  type: string | null;
  fields: string[];
  sql: string;
  statements: number;
  rows: number;
  milliseconds: number;
}

function serverTiming(header: string | null): [string, number][] {
  return (header ?? '').split(',').flatMap((entry): [string, number][] => {
    const [name, ...parameters] = entry.split(';').map((one) => one.trim());
    const duration = parameters.find((one) => one.startsWith('dur='));
    return name && duration ? [[name, Number(duration.slice(4))]] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Of the entries that Strapi 5 answers; '': as the server does by itself.
export type Format = '' | 'v4';

export const headersOf = ({ token, format }: { token: string; format: Format }): Record<string, string> => ({
  ...(token && { Authorization: `Bearer ${token}` }),
  ...(format && { 'Strapi-Response-Format': format }),
});

async function explain(url: string, headers: HeadersInit, signal: AbortSignal): Promise<Explanation | null> {
  const fetched = await fetch(`/_explain${url}`, { headers, signal });
  return fetched.ok ? ((await fetched.json()) as Explanation) : null;
}

// The route is asked for once: where it is off, one request more would be one too many each time.
let explains = true;

export async function ask(url: string, headers: HeadersInit, signal: AbortSignal): Promise<ServerResponse> {
  const begin = performance.now();
  const response: ServerResponse = {
    url,
    status: 0,
    milliseconds: 0,
    headers: [],
    body: new Blob(),
    text: '',
    json: undefined,
    stages: [],
    explanation: null,
  };
  try {
    const fetched = await fetch(url, { headers, signal });
    response.body = await fetched.blob();
    response.milliseconds = performance.now() - begin;
    response.status = fetched.status;
    response.headers = [...fetched.headers];
    response.text = await response.body.text();
    response.json = parsed(response.text);
    response.stages = serverTiming(fetched.headers.get('Server-Timing'));
    if (explains) response.explanation = await explain(url, headers, signal);
    explains &&= response.explanation !== null;
  } catch (error) {
    if (signal.aborted) throw error;
    response.text = String(error);
  }
  return response;
}
