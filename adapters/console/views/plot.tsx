import { useEffect, useRef, useState } from 'preact/hooks';
import { loadPlots } from '../load-part.ts';
import type { Plotted } from '../plots.ts';
import { sentenceOf } from '../sentence-of.ts';

interface PlotProps {
  readonly title: string;
  readonly plotted: Plotted;
  /** What the picture shows, for who does not see it. */
  readonly words: string;
}

/** A plot of some lines. The same values stand beside it as text. */
export const Plot = ({ title, plotted, words }: PlotProps) => {
  const place = useRef<HTMLDivElement>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isOver = false;
    let remove: (() => void) | null = null;
    loadPlots().then(
      ({ draw }) => {
        if (!isOver && place.current) remove = draw(place.current, plotted);
      },
      (error: unknown) => setFault(sentenceOf(error)),
    );
    return () => {
      isOver = true;
      remove?.();
    };
  }, [plotted]);
  return (
    <figure class="plot">
      <figcaption>
        {title}
        {plotted.lines.length > 1 && (
          <span class="muted">
            {' '}
            (solid: {plotted.lines[0]!.label}; dashed: {plotted.lines[1]!.label})
          </span>
        )}
      </figcaption>
      <div ref={place} class="canvas" role="img" aria-label={words} />
      {fault !== '' && (
        <p class="failed" role="alert">
          {fault}
        </p>
      )}
    </figure>
  );
};
