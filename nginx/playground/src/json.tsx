// JSON that folds. Members are drawn when they are unfolded, long lists a hundred at a time.
import { type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

const step = 100;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

function Scalar({ value }: { value: string | number | boolean | null }) {
  if (typeof value === 'string' && value.length > 300) return <LongText text={value} />;
  return <span class={value === null ? 'null' : typeof value}>{JSON.stringify(value)}</span>;
}

function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  return (
    <span class="string">
      {JSON.stringify(whole ? text : text.slice(0, 240))}
      <button type="button" class="more" onClick={() => setWhole(!whole)}>
        {whole ? 'less' : `${text.length - 240} more`}
      </button>
    </span>
  );
}

function preview(value: Json[] | { [name: string]: Json }): string {
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  const names = Object.keys(value);
  const said = names.map((name) => value[name]).find((one) => typeof one === 'string' && one.length < 60);
  return names.length
    ? `${names.slice(0, 4).join(', ')}${names.length > 4 ? ' …' : ''}${said ? `: ${String(said)}` : ''}`
    : '';
}

function Members({ value, depth }: { value: Json[] | { [name: string]: Json }; depth: number }) {
  const [shown, setShown] = useState(step);
  const members = Object.entries(value) as [string, Json][];
  return (
    <ul>
      {members.slice(0, shown).map(([name, member]) => (
        <Value key={name} name={name} item={Array.isArray(value)} value={member} depth={depth + 1} />
      ))}
      {members.length > shown && (
        <li>
          <button type="button" class="more" onClick={() => setShown(shown + step)}>
            {members.length - shown} more
          </button>
        </li>
      )}
    </ul>
  );
}

// How deep responses are open at first: `data/0/attributes`, and relations within.
const openDepth = 6;

function Value({ name, item, value, depth }: { name: string; item: boolean; value: Json; depth: number }) {
  const label: ComponentChildren = name !== '' && <span class={item ? 'index' : 'name'}>{name}</span>;
  const [open, setOpen] = useState(
    depth < openDepth && !(item && Number(name) >= 3 && depth > 1) && name !== 'formats',
  );
  if (typeof value !== 'object' || value === null)
    return (
      <li>
        {label}
        <Scalar value={value} />
      </li>
    );
  if (!Object.keys(value).length)
    return (
      <li>
        {label}
        <span class="null">{Array.isArray(value) ? '[ ]' : '{ }'}</span>
      </li>
    );
  return (
    <li>
      <button type="button" class="fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
        {!open && <span class="preview">{preview(value)}</span>}
      </button>
      {open && <Members value={value} depth={depth} />}
    </li>
  );
}

export function JsonView({ value }: { value: unknown }) {
  return (
    <ul class="json">
      <Value name="" item={false} value={value as Json} depth={0} />
    </ul>
  );
}
