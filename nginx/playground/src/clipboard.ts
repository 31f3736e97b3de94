// To the clipboard. Pages without TLS have none, only the old way to copy what is selected. False: that is
// forbidden, too; `shown`, which holds the text, stays selected for Ctrl+C.
export async function copyText(text: string, shown: HTMLElement): Promise<boolean> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  const written = await clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (written) return true;
  getSelection()?.selectAllChildren(shown);
  return document.execCommand('copy');
}
