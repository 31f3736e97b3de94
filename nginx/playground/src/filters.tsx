// Comparisons, and groups of them, as rows that can be changed.
import { type Attribute, attributeOf, type ContentType, type Operator, targetsOf } from './model';
import { PathChoice } from './path_choice';
import { type Comparison, type Filters, type Group, isGroup } from './query';
import { edit, state } from './state';

function follow(types: ContentType[], path: string[]): { attribute?: Attribute; types: ContentType[] } {
  let at = types;
  let attribute: Attribute | undefined;
  for (const name of path) {
    attribute = attributeOf(at, name);
    at = attribute ? targetsOf(state.model, attribute) : [];
  }
  return { attribute, types: at };
}

interface ValueProps {
  attribute: Attribute | undefined;
  operator: string;
  value: string | null;
  onChange: (value: string) => void;
}

const inputTypes: Record<string, string> = { date: 'date', integer: 'number', email: 'email' };

function ValueField({ attribute, operator, value, onChange }: ValueProps) {
  const logical = operator === '$null' || operator === '$notNull';
  const choices = logical ? ['1', '0'] : attribute?.type === 'boolean' ? ['true', 'false'] : (attribute?.choices ?? []);
  const text = value ?? '';
  const set = (event: { currentTarget: HTMLInputElement | HTMLSelectElement }) => onChange(event.currentTarget.value);
  if (!choices.length) {
    const type = inputTypes[attribute?.type ?? ''] ?? 'text';
    // What a special field could not show stays text.
    const fits = type !== 'date' || /^(\d{4}-\d{2}-\d{2})?$/.test(text);
    const numeric = type !== 'number' || /^-?\d*$/.test(text);
    return (
      <input aria-label="value" type={fits && numeric ? type : 'text'} value={text} autocomplete="off" onInput={set} />
    );
  }
  return (
    <select aria-label="value" value={text} onChange={set}>
      {choices.includes(text) || <option value={text}>{text}</option>}
      {choices.map((one) => (
        <option value={one}>{logical ? (one === '1' ? 'true' : 'false') : one}</option>
      ))}
    </select>
  );
}

function Values({
  comparison,
  attribute,
  operator,
}: {
  comparison: Comparison;
  attribute?: Attribute;
  operator?: Operator;
}) {
  const { values } = comparison;
  const count = operator?.name === '$between' ? 2 : 1;
  const shown = values.length < count ? [...values, ...Array<string>(count - values.length).fill('')] : values;
  const set = (i: number, value: string) =>
    edit(() => {
      comparison.values = shown.map((old, at) => (at === i ? value : old));
    });
  return (
    <>
      {shown.map((value, i) => (
        <ValueField
          key={i}
          attribute={attribute}
          operator={comparison.operator}
          value={value}
          onChange={(text) => set(i, text)}
        />
      ))}
      {operator?.list && count === 1 && (
        <>
          <button
            type="button"
            class="add"
            aria-label="another value"
            onClick={() => edit(() => void (comparison.values = [...shown, '']))}
          />
          {shown.length > 1 && (
            <button
              type="button"
              class="remove"
              aria-label="one value less"
              onClick={() => edit(() => void comparison.values.pop())}
            />
          )}
        </>
      )}
    </>
  );
}

// Values that make sense at once, where no text has to be written for them.
function firstValues(attribute: Attribute | undefined, operator: string): string[] {
  if (operator === '$null' || operator === '$notNull') return ['1'];
  if (attribute?.type === 'boolean') return ['true'];
  return attribute?.choices.slice(0, 1) ?? [];
}

function ComparisonRow({ comparison, types }: { comparison: Comparison; types: ContentType[] }) {
  const { attribute } = follow(types, comparison.path);
  const operators = attribute?.filter ?? [];
  const operator = operators.find((one) => one.name === comparison.operator);
  const setPath = (path: string[]) =>
    edit(() => {
      const found = follow(types, path).attribute;
      const allowed = found?.filter.some((one) => one.name === comparison.operator);
      comparison.path = path;
      if (!allowed) comparison.operator = found?.filter[0]?.name ?? '$eq';
      comparison.values = firstValues(found, comparison.operator);
    });
  const setOperator = (name: string) =>
    edit(() => {
      const logical = (one: string) => one === '$null' || one === '$notNull';
      if (logical(name) !== logical(comparison.operator)) comparison.values = firstValues(attribute, name);
      comparison.operator = name;
    });
  return (
    <>
      <PathChoice types={types} path={comparison.path} fits={(one) => one.filter.length > 0} onChange={setPath} />
      <label class="not">
        <input
          type="checkbox"
          checked={comparison.negated}
          onChange={() => edit(() => void (comparison.negated = !comparison.negated))}
        />
        $not
      </label>
      <select
        aria-label="operator"
        class={`operator ${operator || !attribute ? '' : 'wrong'}`}
        value={comparison.operator}
        onChange={(event) => setOperator(event.currentTarget.value)}
      >
        {!operator && <option value={comparison.operator}>{comparison.operator}</option>}
        {/* The chosen one is as wide as its name, and has its meaning beside it. */}
        {operators.map((one) => (
          <option value={one.name}>
            {one.name}
            {one !== operator && `: ${one.meaning.replace(/;.*/, '')}`}
          </option>
        ))}
      </select>
      {operator?.meaning && <small>{operator.meaning}</small>}
      <Values comparison={comparison} attribute={attribute} operator={operator} />
    </>
  );
}

const fresh = (): Comparison => ({ path: ['id'], operator: '$eq', negated: false, values: [] });

const groups = ['$or', '$and', '$not'];

function GroupBox({ group, types }: { group: Group; types: ContentType[] }) {
  const inside = follow(types, group.path).types;
  return (
    <div class="group">
      <select
        aria-label="kind of group"
        value={group.operator}
        onChange={(event) => edit(() => void (group.operator = event.currentTarget.value))}
      >
        {groups.map((name) => (
          <option value={name} disabled={name === '$not' && group.members.length > 1}>
            {name}
          </option>
        ))}
      </select>
      {group.path.length > 0 && <code>{group.path.join(' › ')}</code>}
      {group.members.map((member, i) => (
        <FilterList key={i} filters={member} types={inside} />
      ))}
      {group.operator !== '$not' && (
        <button
          type="button"
          class="add"
          aria-label="add an alternative"
          onClick={() => edit(() => void group.members.push([fresh()]))}
        >
          alternative
        </button>
      )}
    </div>
  );
}

export function FilterList({ filters, types }: { filters: Filters; types: ContentType[] }) {
  const add = (filter: Comparison | Group) => edit(() => void filters.push(filter));
  return (
    <ul class="conditions">
      {filters.map((filter, i) => (
        <li key={i}>
          {isGroup(filter) ? (
            <GroupBox group={filter} types={types} />
          ) : (
            <ComparisonRow comparison={filter} types={types} />
          )}
          <button
            type="button"
            class="remove"
            aria-label="remove this filter"
            onClick={() => edit(() => void filters.splice(i, 1))}
          />
        </li>
      ))}
      <li>
        <button type="button" class="add" aria-label="add a filter" onClick={() => add(fresh())}>
          filter
        </button>
        <button
          type="button"
          class="add"
          aria-label="add a group"
          onClick={() => add({ path: [], operator: '$or', members: [[fresh()], [fresh()]] })}
        >
          group
        </button>
      </li>
    </ul>
  );
}
