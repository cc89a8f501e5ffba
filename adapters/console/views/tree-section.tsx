import type { AnswerOf } from '../../client/shapes.ts';
import { treeLayout } from '../tree-layout.ts';
import { linkTo } from '../route.ts';
import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { Shown } from './parts.tsx';

type Tree = AnswerOf<'get', '/v1/records/{id}/chain'>;

/** Who delegated what to whom, as far as this key may read it. */
export const TreeSection = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const tree = useLoaded((signal) => client.records.chain(id, { signal }), [id]);
  return (
    <section aria-labelledby="tree-title">
      <h2 id="tree-title">Delegation</h2>
      <Shown of={tree} name="the tree">
        {(value) =>
          value.nodes.length < 2 ? (
            <p>Nothing was delegated: the record stands alone.</p>
          ) : (
            <TreePicture tree={value} id={id} />
          )
        }
      </Shown>
    </section>
  );
};

const [BOX_WIDTH, BOX_HEIGHT] = [210, 46];

const TreePicture = ({ tree, id }: { readonly tree: Tree; readonly id: string }) => {
  const { nodes, lines, width, height } = treeLayout(tree.nodes, [BOX_WIDTH, BOX_HEIGHT]);
  return (
    <>
      {tree.truncated && <p class="note">The tree is larger than what is shown here.</p>}
      <div
        class="picture"
        tabindex={0}
        role="region"
        aria-label="Delegation tree, scrolls sideways"
      >
        <svg
          class="tree"
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="group"
          aria-label={`Delegation tree of ${tree.nodes.length} records`}
        >
          {lines.map(({ from, to }) => {
            const middle = (from.y + BOX_HEIGHT + to.y) / 2;
            return (
              <path
                key={to.node.id}
                d={`M${from.x + BOX_WIDTH / 2} ${from.y + BOX_HEIGHT}V${middle}H${to.x + BOX_WIDTH / 2}V${to.y}`}
              />
            );
          })}
          {nodes.map(({ node, x, y }) => (
            <a
              key={node.id}
              href={linkTo('records', node.id)}
              aria-current={node.id === id ? 'page' : undefined}
            >
              <rect
                x={x}
                y={y}
                width={BOX_WIDTH}
                height={BOX_HEIGHT}
                rx={8}
                class={node.id === id ? 'here' : undefined}
              />
              <text x={x + 10} y={y + 19}>
                {cut(node.type ?? 'not readable')}
              </text>
              <text x={x + 10} y={y + 37} class="small">
                {node.status} · {node.id.slice(0, 8)}
              </text>
            </a>
          ))}
        </svg>
      </div>
    </>
  );
};

const cut = (text: string): string => (text.length > 26 ? `${text.slice(0, 25)}…` : text);
