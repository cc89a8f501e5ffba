import { useSession } from '../session.ts';
import { useLoaded } from '../use-loaded.ts';
import { jsonText, Shown, Time } from './parts.tsx';

/** The newest dispute of a record, with what the sides brought. */
export const DisputeSection = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoaded((signal) => client.disputes.of(id, { signal }), [id]);
  return (
    <section aria-labelledby="dispute-title">
      <h2 id="dispute-title">Dispute</h2>
      <Shown of={loaded} name="the dispute">
        {(dispute) => (
          <>
            <dl>
              <dt>Phase</dt>
              <dd>
                {dispute.phase}, tier {dispute.tier}
              </dd>
              <dt>Opened</dt>
              <dd>
                <Time at={dispute.openedAt} /> by the {dispute.initiatorRole}
              </dd>
              {dispute.grounds && (
                <>
                  <dt>Grounds</dt>
                  <dd class="said">{dispute.grounds}</dd>
                </>
              )}
              {dispute.statement && (
                <>
                  <dt>Statement</dt>
                  <dd class="said">{dispute.statement}</dd>
                </>
              )}
              <dt>Deadline</dt>
              <dd>
                <Time at={dispute.phaseDeadline} />
              </dd>
              <dt>Outcome</dt>
              <dd class="said">
                {dispute.outcome ?? 'open'}
                {dispute.resolution && `: ${dispute.resolution}`}
              </dd>
            </dl>
            {dispute.evidence.map((piece) => (
              <details key={piece.id}>
                <summary>
                  Evidence of the {piece.side}, <Time at={piece.submittedAt} />
                </summary>
                <pre tabindex={0} dir="ltr" aria-label={`Evidence of the ${piece.side}`}>
                  {jsonText(piece.content)}
                </pre>
              </details>
            ))}
          </>
        )}
      </Shown>
    </section>
  );
};
