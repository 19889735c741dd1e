import type { Report } from '../../specs/generated/types.ts';

/** CI systems: the variable that only they set, and the one with the checked-out commit. */
const systems = [
  ['GitHub Actions', 'GITHUB_ACTIONS', 'GITHUB_SHA'],
  ['GitLab CI', 'GITLAB_CI', 'CI_COMMIT_SHA'],
  ['Jenkins', 'JENKINS_URL', 'GIT_COMMIT'],
  ['Azure Pipelines', 'TF_BUILD', 'BUILD_SOURCEVERSION'],
  ['CircleCI', 'CIRCLECI', 'CIRCLE_SHA1'],
  ['Bitbucket Pipelines', 'BITBUCKET_BUILD_NUMBER', 'BITBUCKET_COMMIT'],
] as const;

/** Where this run takes place. Only a hash is read as a commit, so that no other value reaches the report. */
export function runOrigin(
  environment: NodeJS.ProcessEnv = process.env,
  { versions, platform, arch }: Pick<NodeJS.Process, 'versions' | 'platform' | 'arch'> = process,
): NonNullable<Report['origin']> {
  const [ci, , variable] = systems.find(([, sign]) => environment[sign]) ?? [];
  const commit = variable && environment[variable]?.toLowerCase();
  return {
    ...(commit !== undefined && /^[0-9a-f]{7,64}$/.test(commit) && { commit }),
    ...(ci !== undefined && { ci }),
    node: versions.node,
    platform: `${platform} ${arch}`,
  };
}
