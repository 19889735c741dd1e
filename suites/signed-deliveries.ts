import fc from 'fast-check';
import { check, checkId, entrance, type CheckKit } from '../harness/checks/check.ts';
import { header, type Observation } from '../harness/wire/observation.ts';
import { forgedSignatures, withEarlierSignature } from '../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import { wireForm } from '../generators/wire-form.ts';
import { commonRefusal } from './common-refusal.ts';
import { requireControl } from './require-control.ts';
import { judgeLateStaleness } from './late-staleness.ts';
import { toBeAccepted, toBeRefused } from './matchers/answer-matchers.ts';
import { isRefusal } from '../harness/wire/answer-status.ts';
import { conclude, expect } from './matchers/expect.ts';
import { noUsedConnection, sendOnUsedConnection } from './on-used-connection.ts';
import { first, once } from './once.ts';
import { badSignatures, insideTolerance, type BadSignature, type DeliveryRefusal } from './signature-cases.ts';

/** A surface whose deliveries are signed, as the checks that all of them share see it. */
export interface SignatureSubject {
  name: 'api-webhooks' | 'own-ai-chat';
  /** A plain, correctly signed event with its own ids; `write` serialises the body. */
  sign: (kit: CheckKit, write?: (event: unknown) => string) => SignedDelivery;
  /** The same with this text, as a message or a title. */
  signText: (kit: CheckKit, text: string) => SignedDelivery;
  post: (
    kit: CheckKit,
    delivery: SignedDelivery,
    options: { label: string; fresh?: boolean; toBeRefused?: boolean; inTwoParts?: boolean },
  ) => Promise<Observation>;
}

const badDeliveries = badSignatures('delivery');

/** Bad signatures that reach the code of the endpoint on every server. */
const judgedByStatus = badDeliveries.filter((bad) => bad.refusedByServers !== true);

/** Mistake that shows only where a body arrives in parts. */
const joinHint =
  'An event with the same text is accepted when it arrives at once. A network may divide a body anywhere, also inside a character: join the bytes of all parts, verify the signature over them, and only then decode them.';

/** Wire forms of one event that are sent: each mixes white space, field order and escapes anew. */
const wireForms = 12;

const controlLabel = 'a correctly signed delivery';

function sendControl({ name, sign, post }: SignatureSubject, kit: CheckKit): Promise<Observation> {
  return once(kit.session, `${name} control`, () => post(kit, sign(kit), { label: controlLabel }));
}

async function sendBad(
  surface: SignatureSubject,
  kit: CheckKit,
  bad: BadSignature<DeliveryRefusal>,
): Promise<Observation> {
  const { name, sign, post } = surface;
  requireControl(await sendControl(surface, kit), 'the same delivery with its correct signature');
  // On its own connection: an endpoint that refuses without reading the body must not affect our next delivery.
  return await once(kit.session, `${name} ${bad.what}`, () =>
    post(kit, bad.spoil(sign(kit)), { label: bad.what, fresh: true, toBeRefused: true }),
  );
}

/** Posts a correctly signed delivery and one with each bad signature, unless the run has already done so. */
export async function postBadDeliveries(surface: SignatureSubject, kit: CheckKit): Promise<void> {
  await Promise.all(judgedByStatus.map((bad) => sendBad(surface, kit, bad)));
}

/** The answers to deliveries with these bad signatures that refuse them with a 3xx or 4xx status. */
async function refusals(
  surface: SignatureSubject,
  kit: CheckKit,
  bad: readonly BadSignature<DeliveryRefusal>[],
): Promise<Observation[]> {
  const answers = await Promise.all(bad.map((one) => sendBad(surface, kit, one)));
  const refused = answers.filter(({ answer }) => isRefusal(answer));
  if (refused.length === 0) kit.notExercised('No bad signature was refused with a 3xx or 4xx status.');
  return refused;
}

/**
 * Checks of the status of a refusal. The interface states 401 for a stale timestamp and a bad signature of API webhooks
 * (Errors), but not for a header without a signature that could be compared; chat has the same scheme (Authentication).
 */
function refusalStatusChecks(surface: SignatureSubject): void {
  const { name } = surface;
  const unreadable = judgedByStatus.filter(({ isUnreadable }) => isUnreadable);
  const readable = judgedByStatus.filter(({ isUnreadable }) => !isUnreadable);

  check(`${name}/refuses-with-401`, 'a stale timestamp and a bad signature are refused with 401', async (kit) => {
    for (const refusal of await refusals(surface, kit, readable)) expect(refusal).toHaveStatus(401);
  });

  check(
    `${name}/refuses-with-4xx-if-unreadable`,
    'a missing, empty or unreadable signature header is refused with a 4xx status',
    async (kit) => {
      for (const refusal of await refusals(surface, kit, unreadable)) expect(refusal).toHaveClientError();
    },
  );

  check(
    `${name}/refuses-with-401-if-unreadable`,
    'a missing, empty or unreadable signature header is refused with 401',
    async (kit) => {
      for (const refusal of await refusals(surface, kit, unreadable)) expect(refusal).toHaveStatus(401);
    },
  );
}

/** Checks of signatures (interface: Authentication), one registration for each surface that signs. */
export function signatureChecks(surface: SignatureSubject): void {
  const { name, sign, post } = surface;
  const control = (kit: CheckKit) => sendControl(surface, kit);

  entrance(name, async (kit) => {
    const forged = () => sign(kit).with({ secret: 'whsec_another-secret' });
    return await commonRefusal(kit.session, [
      () => first(kit.session, `${name} control`, () => post(kit, sign(kit), { label: controlLabel })),
      () => post(kit, surface.signText(kit, 'Hello'), { label: 'another correctly signed delivery' }),
      () => post(kit, forged(), { label: 'a delivery signed with another secret', fresh: true, toBeRefused: true }),
    ]);
  });

  check(`${name}/accepts-valid-signature`, 'a correctly signed delivery is accepted', async (kit) => {
    expect(await control(kit)).toBeAccepted();
  });

  for (const bad of badDeliveries) {
    check(`${name}/${bad.slug}`, `${bad.what} is refused`, async (kit) => {
      expect(await sendBad(surface, kit, bad)).toBeRefused(bad.what);
    });
  }

  check(`${name}/refuses-other-secret`, 'what was accepted is refused with another signature', async (kit) => {
    const delivery = sign(kit);
    const accepted = await post(kit, delivery, { label: 'a delivery that comes again with another signature' });
    requireControl(accepted, 'the same delivery with its correct signature');
    const what = 'an accepted delivery that comes again, signed with another secret,';
    const options = { label: 'an accepted delivery again, signed with another secret', fresh: true, toBeRefused: true };
    const answer = await post(kit, forgedSignatures.otherSecret(delivery), options);
    const finding = toBeRefused(answer, what);
    conclude(
      answer,
      finding && { ...finding, hint: 'Verify the signature before the id of the delivery is looked up.' },
    );
  });

  check(
    `${name}/refuses-other-secret`,
    'on a connection that has carried a valid delivery, another secret is refused',
    async (kit) => {
      const what = 'a delivery signed with another secret, on the connection of a valid one,';
      const answer = await sendOnUsedConnection(
        () => post(kit, sign(kit), { label: 'a valid delivery before another one on its connection' }),
        () => {
          const options = { label: 'signed with another secret, on the connection of a valid one', toBeRefused: true };
          return post(kit, forgedSignatures.otherSecret(sign(kit)), options);
        },
      );
      if (!answer) return kit.notExercised(noUsedConnection);
      const finding = toBeRefused(answer, what);
      conclude(
        answer,
        finding && { ...finding, hint: 'Verify the signature of every request, not once per connection.' },
      );
    },
  );

  check(
    `${name}/refuses-altered-body`,
    'the signature of an accepted delivery is refused with another body',
    async (kit) => {
      // Its own delivery: the time in an older signature could be stale by now.
      const accepted = await post(kit, sign(kit), {
        label: 'a delivery whose signature comes again with another body',
      });
      requireControl(accepted, 'the delivery that the signature belongs to');
      const what = 'a delivery with the signature of an accepted one';
      const forged = withEarlierSignature(sign(kit), header(accepted.request, 'X-Svc-Signature'));
      const answer = await post(kit, forged, { label: what, fresh: true, toBeRefused: true });
      const finding = toBeRefused(answer, what);
      conclude(
        answer,
        finding && {
          ...finding,
          hint: 'Compute the signature of every delivery: a header that was valid before proves nothing about this body.',
        },
      );
    },
  );

  refusalStatusChecks(surface);

  check(`${name}/bad-signature-is-answered`, 'every bad signature gets an answer, not a crash', async (kit) => {
    for (const refusal of await Promise.all(judgedByStatus.map((bad) => sendBad(surface, kit, bad)))) {
      expect(refusal).toBeAnsweredWithoutServerError(refusal.label);
    }
  });

  for (const offsetSeconds of insideTolerance) {
    const side = offsetSeconds < 0 ? 'ago' : 'ahead';
    const title = `a delivery signed ${Math.abs(offsetSeconds)} s ${side} is accepted`;
    check(`${name}/accepts-timestamp-inside-tolerance`, title, async (kit) => {
      const label = `a delivery signed ${Math.abs(offsetSeconds)} s ${side}`;
      expect(await post(kit, sign(kit).with({ offsetSeconds }), { label })).toBeAccepted();
    });
  }

  check(`${name}/accepts-any-wire-form`, 'the same JSON in any other bytes is accepted', async (kit) => {
    requireControl(await control(kit), 'the same event in the bytes of JSON.stringify');
    const answers = Array.from({ length: wireForms }, (_, at) =>
      post(
        kit,
        sign(kit, (event) => oneForm(event, kit.settings.seed + at, false)),
        {
          label: 'the same JSON in other bytes, correctly signed',
        },
      ),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toBeAccepted();
  });

  check(`${name}/accepts-any-wire-form`, 'a body that arrives in two parts is accepted', async (kit) => {
    const delivery = surface.signText(kit, 'Grüße aus 東京 🙂');
    requireControl(
      await post(kit, delivery, { label: 'text of several scripts' }),
      'an event with the same text in one part',
    );
    const answer = await post(kit, surface.signText(kit, 'Grüße aus 東京 🙂'), {
      label: 'a body in two parts, divided inside a character',
      inTwoParts: true,
    });
    const finding = toBeAccepted(answer);
    conclude(answer, finding && { ...finding, hint: joinHint });
  });

  check(`${name}/accepts-other-number-forms`, 'numbers written in another form are accepted', async (kit) => {
    requireControl(await control(kit), 'the same event in the bytes of JSON.stringify');
    const delivery = sign(kit, (event) => oneForm(event, kit.settings.seed, true));
    expect(await post(kit, delivery, { label: 'numbers in another JSON form, correctly signed' })).toBeAccepted();
  });

  check(`${name}/accepts-charset`, 'a content type with a charset is accepted', async (kit) => {
    for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
      expect(
        await post(kit, sign(kit).withHeader('Content-Type', type), { label: `content type ${type}` }),
      ).toBeAccepted();
    }
  });
}

/** The check of a stale `t` at the end of a run. */
export function lateStalenessCheck(surface: SignatureSubject): void {
  const { name, sign, post } = surface;
  const requirement = `${name}/refuses-stale-timestamp` as const;
  const title = 'at the end of the run, a stale delivery is still refused';
  check(requirement, title, async (kit) => {
    const what = 'a stale delivery at the end of the run';
    const earlier = await sendControl(surface, kit);
    requireControl(earlier, 'the same delivery with its correct signature');
    await judgeLateStaleness(kit, checkId(requirement, title), earlier, async () => {
      const options = { label: what, fresh: true, toBeRefused: true };
      const answer = await post(kit, forgedSignatures.staleT(sign(kit)), options);
      return { exchange: answer, finding: toBeRefused(answer, what) };
    });
  });
}

function oneForm(event: unknown, seed: number, numbers: boolean): string {
  const [text] = fc.sample(wireForm(event, { numbers }), { seed, numRuns: 1 });
  return text ?? JSON.stringify(event);
}
