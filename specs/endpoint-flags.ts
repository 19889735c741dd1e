import { endpointSurfaces, surfaceTable, type EndpointSurface } from './surfaces.ts';

type Endpoint<S extends EndpointSurface> = (typeof surfaceTable)[S]['endpoint'];

/** The options under which a command gets the address and the credential of a surface: `chatUrl`, `chatSecret`. */
type UrlOption<S extends EndpointSurface> = `${Endpoint<S>['kit']}Url`;
type CredentialOption<S extends EndpointSurface> = `${Endpoint<S>['kit']}${Capitalize<Endpoint<S>['credential']>}`;

/** The values of the flags that name endpoints where several can be named. */
export type EndpointOptions = {
  [S in EndpointSurface as UrlOption<S> | CredentialOption<S>]?: string;
};

export interface EndpointFlagNames {
  readonly url: keyof EndpointOptions;
  readonly credential: keyof EndpointOptions;
  readonly urlFlag: string;
  readonly credentialFlag: string;
}

/** The flags of each endpoint where several can be named. */
export const endpointFlags = Object.fromEntries(
  endpointSurfaces.map((surface): [EndpointSurface, EndpointFlagNames] => {
    const { kit, credential } = surfaceTable[surface].endpoint;
    return [
      surface,
      {
        url: `${kit}Url`,
        credential: `${kit}${credential === 'token' ? 'Token' : 'Secret'}` as keyof EndpointOptions,
        urlFlag: `--${kit}-url`,
        credentialFlag: `--${kit}-${credential}`,
      },
    ];
  }),
) as Record<EndpointSurface, EndpointFlagNames>;
