import { useLayoutEffect, useRef } from 'preact/hooks';

/** Elements that the verifier's page makes, put into this one. */
export const Nodes = ({ nodes }: { readonly nodes: readonly (Node | null)[] }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(...nodes.filter((node) => node !== null));
  }, [nodes]);
  return <div ref={place} />;
};
