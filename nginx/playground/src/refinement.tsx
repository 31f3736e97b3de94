// Which entries, in what order, how many: of the root, or of a populated attribute.
import { type ContentType } from './model';
import { FilterList } from './filters';
import { PathChoice } from './path_choice';
import { type Selection } from './query';
import { edit } from './state';

export function SortList({ selection, types }: { selection: Selection; types: ContentType[] }) {
  return (
    <ul class="conditions">
      {selection.sort.map((key, i) => (
        <li key={i}>
          <PathChoice
            types={types}
            path={key.path.split('.')}
            fits={(attribute) => attribute.sortable}
            toScalar
            onChange={(path) => edit(() => void (key.path = path.join('.')))}
          />
          <select
            aria-label="direction"
            value={String(key.descending)}
            onChange={(event) => edit(() => void (key.descending = event.currentTarget.value === 'true'))}
          >
            <option value="false">asc</option>
            <option value="true">desc</option>
          </select>
          <button
            type="button"
            class="remove"
            aria-label="remove this key"
            onClick={() => edit(() => void selection.sort.splice(i, 1))}
          />
        </li>
      ))}
      <li>
        <button
          type="button"
          class="add"
          aria-label="add a sort key"
          onClick={() => edit(() => void selection.sort.push({ path: 'id', descending: false }))}
        >
          sort key
        </button>
      </li>
    </ul>
  );
}

export type Choices = [value: string, text: string][];

interface SettingProps {
  of: Map<string, string>;
  name: string;
  choices?: Choices; // none: a text field
  hint?: string;
}

// One parameter with a text for a value; empty: it is not asked.
export function Setting({ of, name, choices, hint }: SettingProps) {
  const set = (value: string) => edit(() => void (value ? of.set(name, value) : of.delete(name)));
  const value = of.get(name) ?? '';
  return (
    <label class="setting">
      <span>{/\[(.*)\]/.exec(name)?.[1] ?? name}</span>
      {choices ? (
        <select name={name} value={value} onChange={(event) => set(event.currentTarget.value)}>
          {choices.map(([one, text]) => (
            <option value={one}>{text}</option>
          ))}
          {choices.some(([one]) => one === value) || <option value={value}>{value}</option>}
        </select>
      ) : (
        <input
          name={name}
          value={value}
          placeholder={hint}
          autocomplete="off"
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
    </label>
  );
}

export const preview: Choices[number] = ['preview', 'preview'];

const choices: Record<string, Choices> = {
  ordering: [
    ['', 'asc'],
    ['desc', 'desc'],
  ],
  count: [
    ['', 'false'],
    ['1', 'true'],
  ],
  publicationState: [['', 'as above'], ['live', 'live'], preview],
};

interface RefinementProps {
  selection: Selection;
  types: ContentType[];
  many: boolean;
  takesLimit?: boolean;
}

// Of a populated attribute, or of one type of its entries, which has no `limit` of its own.
export function Refinement({ selection, types, many, takesLimit }: RefinementProps) {
  const { options } = selection;
  const takes = (name: string): boolean => types.some((type) => type.options.has(name));
  return (
    <div class="refinement">
      <h4>filters</h4>
      <FilterList filters={selection.filters} types={types} />
      {(many || selection.sort.length > 0) && (
        <>
          <h4>sort</h4>
          <SortList selection={selection} types={types} />
        </>
      )}
      {many && (takesLimit || takes('ordering')) && (
        <div class="settings">
          {takesLimit && takes('limit') && <Setting of={options} name="start" hint="0" />}
          {takesLimit && takes('limit') && <Setting of={options} name="limit" hint="all" />}
          {takes('ordering') && <Setting of={options} name="ordering" choices={choices.ordering} />}
        </div>
      )}
      <div class="settings">
        {many && <Setting of={options} name="count" choices={choices.count} />}
        {takes('publicationState') && types.some((type) => type.draftAndPublish) && (
          <Setting of={options} name="publicationState" choices={choices.publicationState} />
        )}
      </div>
    </div>
  );
}
