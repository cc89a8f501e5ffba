import type { StoryActor } from '../report/story.ts';

/** Who acted, as the beginning of a sentence. The name stands apart, because nothing seals it. */
export interface ActorWords {
  readonly before: string;
  readonly name: string | null;
  readonly after: string;
}

export const wordsOfActor = ({
  kind,
  sides,
  agentId,
  orgId,
  name,
  orgName,
}: StoryActor): ActorWords => {
  switch (kind) {
    case 'system':
      return plain('the service itself');
    case 'platform':
      return plain("the service's operator");
    case 'peer':
      return plain('another hub');
    case 'admin':
      return orgName === null
        ? plain(`an admin of the org ${orgId ?? 'unknown'}`)
        : { before: 'an admin of ', name: orgName, after: '' };
    case 'agent': {
      const before = sides.length === 0 ? '' : `the ${sides.join(' and ')} `;
      const after = sides.length === 0 ? ', who is no party,' : '';
      return name === null
        ? plain(`${before}agent ${agentId ?? 'unknown'}${after}`)
        : { before, name, after };
    }
  }
};

const plain = (before: string): ActorWords => ({ before, name: null, after: '' });
