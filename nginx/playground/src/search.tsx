// Finds types and their attributes by name, and sends the query that reads what was found.
import { useMemo, useState } from 'preact/hooks';
import { Candidates, listAttributes, useChoice } from './candidates';
import { type Candidate, fitting } from './completion';
import { isScalar, type Model } from './model';
import { state, visit } from './state';

const shown = 30;

type Subject = Candidate & { url: string };

// Types first, each by its first route.
function subjectsOf({ routes, types }: Model): Subject[] {
  const found = [...types.values()].flatMap((type) => {
    const path = routes.find((route) => route.type === type && !route.key)?.path;
    return path ? [{ type, path }] : [];
  });
  return [
    ...found.map(({ type, path }) => ({ name: type.name, about: path, next: '', url: path })),
    ...found.flatMap(({ type, path }) =>
      [...type.attributes.values()].map((attribute) => ({
        name: `${type.name}.${attribute.name}`,
        about: attribute.type,
        next: '',
        url: `${path}?${isScalar(attribute) ? 'fields' : 'populate'}=${attribute.name}`,
      })),
    ),
  ];
}

export function Search() {
  const [typed, setTyped] = useState('');
  const subjects = useMemo(() => subjectsOf(state.model), [state.model]);
  const found = typed ? fitting(subjects, typed).slice(0, shown) : [];
  const accept = (index: number) => {
    setTyped('');
    reset();
    visit(found[index].url);
  };
  const { chosen, reset, take } = useChoice(found.length, 0, accept, () => setTyped(''));
  return (
    <div class="search" role="search">
      <input
        id="search"
        type="search"
        role="combobox"
        aria-label="search types and attributes"
        aria-expanded={found.length > 0}
        {...listAttributes(found.length, chosen)}
        placeholder="Find a type or attribute"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value.trim());
          reset();
        }}
        onKeyDown={(event) => !event.isComposing && take(event) && event.preventDefault()}
        onBlur={() => setTyped('')}
      />
      {found.length > 0 && (
        <Candidates label="types and attributes" candidates={found} chosen={chosen} accept={accept} />
      )}
      {typed && !found.length && <p class="candidates hint">nothing has {typed} in its name</p>}
    </div>
  );
}
