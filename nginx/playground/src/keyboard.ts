// Left and right go from button to button of a row. The one that has the focus then, if there was such a key.
export function stepAcross(event: KeyboardEvent): HTMLElement | undefined {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return undefined;
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')].filter(
    (button) => button.offsetParent,
  );
  const next = buttons[(buttons.indexOf(event.target as HTMLElement) + by + buttons.length) % buttons.length];
  next.focus();
  return next;
}
