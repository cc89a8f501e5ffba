import type { CallGateway } from '../../../application/call/call-gateway.ts';
import { KeptRefusal } from '../../../application/call/kept-outcome.ts';
import type { Operation, Shown } from '../../../application/call/operation.ts';
import { NotaryError } from '../../../domain/kernel/errors.ts';
import { PlainFrontEnd } from './plain-front-end.ts';
import type { Step, StoryFrontEnd, Told } from './story-front-end.ts';
import type { Body } from '../service/world.ts';

/** Tells stories without a protocol, by values. */
export class PlainStories implements StoryFrontEnd {
  private readonly plain: PlainFrontEnd;
  private calls = 0;

  constructor(gateway: CallGateway, operations: readonly Operation[]) {
    this.plain = new PlainFrontEnd(gateway, operations);
  }

  async perform(step: Step): Promise<Told> {
    const requestId = `plain-story-${++this.calls}`;
    try {
      const { shown, isReplay } = await this.plain.perform({ ...step, requestId });
      return { ...written(shown), isReplay };
    } catch (error) {
      if (!(error instanceof NotaryError)) throw error;
      return toldRefusal(error, requestId);
    }
  }
}

/** As it would be written down: a member that is undefined is none. */
const written = (shown: Shown): Shown<Body> => JSON.parse(JSON.stringify(shown)) as Shown<Body>;

const toldRefusal = (error: NotaryError, requestId: string): Told => {
  const isReplay = error instanceof KeptRefusal;
  return {
    isReplay,
    refusal: {
      kind: error.entry.kind,
      detail: error.message,
      errors: error.members.errors ?? [],
      requestId: isReplay ? error.requestId : requestId,
    },
  };
};
