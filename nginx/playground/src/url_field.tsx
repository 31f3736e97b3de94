// The field of the URL: its text drawn with its errors, and what may be written at the caret.
import { useRef, useState } from 'preact/hooks';
import { Candidates, listAttributes, useChoice } from './candidates';
import { complete, completionAt } from './completion';
import { type Marked } from './names';
import { run, setText, state } from './state';

function Written({ text, found }: { text: string; found: Marked[] }) {
  const pieces = [];
  let from = 0;
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    pieces.push(<Quiet text={text.slice(from, start)} />, <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <pre aria-hidden="true">
      {pieces}
      <Quiet text={text.slice(from)} />{' '}
    </pre>
  );
}

// Punctuation steps back.
function Quiet({ text }: { text: string }) {
  return <>{text.split(/([?&=[\]]+)/).map((piece, i) => (i % 2 ? <i>{piece}</i> : piece))}</>;
}

// Offers what fits while somebody types, and on Ctrl+Space; not for what is pasted.
function useCompletion(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(-1); // -1: nothing is offered
  const completion = caret < 0 ? null : completionAt(text, caret, state.model);
  const candidates = completion?.candidates ?? [];

  const offer = (at: number) => {
    setCaret(at);
    reset();
  };
  const accept = (index: number) => {
    const [written, behind] = complete(text, completion!, candidates[index]);
    setText(written);
    field.current!.setSelectionRange(behind, behind);
    offer(behind);
  };
  const typed = ({ inputType, data }: InputEvent) => {
    const isLetter =
      /^(deleteContent|insertComposition)/.test(inputType) || (inputType === 'insertText' && data?.length === 1);
    offer(isLetter ? field.current!.selectionStart : -1);
  };
  const close = () => offer(-1);
  const { chosen, reset, take } = useChoice(candidates.length, -1, accept, close);
  const press = (event: KeyboardEvent): boolean =>
    event.key === ' ' && event.ctrlKey ? (offer(field.current!.selectionStart), true) : take(event);
  return { field, candidates, chosen, accept, typed, press, close };
}

interface Props {
  text: string;
  found: Marked[];
  invalid: boolean;
}

export function UrlField({ text, found, invalid }: Props) {
  const { field, candidates, chosen, accept, typed, press, close } = useCompletion(text);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (press(event)) event.preventDefault();
    else if (event.key === 'Enter') {
      event.preventDefault();
      void run();
    }
  };
  return (
    <div class="url">
      <label>
        <span class="unseen">URL</span>
        <b>GET</b>
        <span class="written">
          <Written text={text} found={found} />
          <textarea
            ref={field}
            id="url"
            rows={1}
            spellcheck={false}
            autocapitalize="off"
            autocomplete="off"
            aria-invalid={invalid}
            aria-describedby="mistakes"
            {...listAttributes(candidates.length, chosen)}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              typed(event as unknown as InputEvent);
            }}
            onKeyDown={onKeyDown}
            onMouseDown={close}
            onBlur={close}
          />
        </span>
      </label>
      {candidates.length > 0 && (
        <Candidates label="what may stand here" candidates={candidates} chosen={chosen} accept={accept} />
      )}
    </div>
  );
}
