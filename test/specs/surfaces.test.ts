import { describe, expect, it } from 'vitest';
import { crmEventTypes, eventTypeName, legacyEventTypes, lookupEventTypes } from '../../specs/crm-event-types.ts';
import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import { schemas, type JsonSchema } from '../../specs/schemas.ts';
import { configKeyOf, endpointSurfaces, signedSurfaces, surfaceOf, surfaces } from '../../specs/surfaces.ts';

const namesIn = (schema: JsonSchema | false | undefined) => Object.keys((schema || {}).properties ?? {});

describe('the table of surfaces', () => {
  it('has the surfaces of the requirements', () => {
    expect(new Set(Object.keys(requirements).map((id) => surfaceOf(id)))).toEqual(new Set(surfaces));
  });

  it('has a key of the config schema for each surface', () => {
    expect(namesIn(schemas.config)).toEqual(expect.arrayContaining(surfaces.map((surface) => configKeyOf(surface))));
  });

  it('has the surfaces that the schema of a diagnosis allows', () => {
    const allowed = schemas.diagnosis.$defs?.['DiagnosedSurface']?.enum;
    expect(new Set(allowed)).toEqual(new Set(endpointSurfaces));
  });

  it('gives the flags of the endpoints', () => {
    expect(Object.values(endpointFlags).map(({ urlFlag, credentialFlag }) => `${urlFlag} ${credentialFlag}`)).toEqual([
      '--crm-url --crm-token',
      '--hooks-url --hooks-secret',
      '--chat-url --chat-secret',
      '--phone-url --phone-secret',
    ]);
    expect(signedSurfaces).toEqual(['api-webhooks', 'own-ai-chat', 'own-ai-phone']);
  });
});

describe('the event types', () => {
  it('are those of the schemas, in their order', () => {
    const { CrmConversationEvent, CrmAppointmentEvent } = schemas.crmEvent.$defs ?? {};
    const typesOf = (event: JsonSchema | undefined) => (event?.properties?.['eventType'] || {}).enum ?? [];
    expect(crmEventTypes).toEqual([...typesOf(CrmConversationEvent), ...typesOf(CrmAppointmentEvent)]);
    expect(appointmentEventTypes).toEqual((schemas.apiWebhookEvent.properties?.['type'] || {}).enum);
  });

  it('have the numbers that the interface lists', () => {
    expect(legacyEventTypes).toEqual([
      'IncomingCallLookup',
      'FinishedCall',
      'NewConversation',
      'ConversationPaused',
      'Manual',
      'FormSubmitted',
    ]);
    expect([eventTypeName(2), eventTypeName('Manual'), eventTypeName(6)]).toEqual([
      'NewConversation',
      'Manual',
      undefined,
    ]);
    expect(lookupEventTypes).toEqual(['IncomingCallLookup', 'NewConversation']);
  });
});
