/** Returns the trimmed text of the named box of a form. */
export function formText(form: HTMLFormElement, name: string): string {
  const box = form.elements.namedItem(name);
  return box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement ? box.value.trim() : '';
}
