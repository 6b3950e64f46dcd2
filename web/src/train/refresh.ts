// Pages that look again at what the server tells.

/**
 * Fills an element with an answer. Asked again, it is made anew only when the answer differs, so that the focus and what
 * was opened stay where they are.
 */
export function filler<Told>(
  element: Pick<Element, "replaceChildren">,
  ask: () => Promise<Told>,
  draw: (told: Told) => Node[],
  drawTrouble: (error: unknown) => Node[],
): () => Promise<void> {
  let shown: string | undefined;
  const show = (key: string, make: () => Node[]) => {
    if (key === shown) return;
    shown = key;
    element.replaceChildren(...make());
  };
  return () =>
    ask().then(
      (told) => show(JSON.stringify(told), () => draw(told)),
      (error: unknown) => show(String(error), () => drawTrouble(error)),
    );
}
