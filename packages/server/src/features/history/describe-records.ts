/** Describes the routes of history, uses, groups and reverts for the resources that have them. */
import { decideAccess, type ErrorCode, type OperationName, type Resource, roleTypes } from '@dala/model'
import type { Contracts } from '@dala/model/api/contract'
import { historyRoutes, recordRoutes, revertAnswers } from '@dala/model/api/history'
import { describeContracts, describeResource } from '../../http/describe-contracts.ts'
import type { Descriptions } from '../../http/description.ts'
import { canRevert } from './reverting.ts'

/**
 * Lists the access of each role, from the rights of a resource; roles below staff are listed only if they
 * also change records.
 */
function rolesOf({ access }: Resource, operation: OperationName, keepers: boolean): Record<string, string> {
  const roles = roleTypes.flatMap((role): [string, string][] => {
    const asker = { role, isConsultant: false }
    const isBelow = role === 'authenticated' || role === 'public'
    const grants = [
      decideAccess(access, operation, asker),
      ...(keepers && isBelow ? [decideAccess(access, 'update', asker)] : []),
    ]
    if (grants.includes(false)) return []
    return [[role, grants.every((grant) => grant === true) ? 'all' : 'bounded']]
  })
  return Object.fromEntries(roles)
}

/** Returns the error codes that refuse writes of a resource. */
export type RefusalsOfWrites = (resource: Resource) => readonly ErrorCode[]

/** Builds the contracts of a resource, with its roles. A revert is refused with the codes of any write. */
function contractsOf(resource: Resource, refusalsOfWrites: RefusalsOfWrites): Contracts {
  const readers = { roles: rolesOf(resource, 'get', true) }
  const revertRoute = recordRoutes['POST /api/:wire/:id/revert']
  return {
    ...(!resource.appendOnly && {
      'GET /api/:wire/:id/history': { ...recordRoutes['GET /api/:wire/:id/history'], ...readers },
      'GET /api/:wire/:id/uses': { ...recordRoutes['GET /api/:wire/:id/uses'], ...readers },
    }),
    ...(!resource.single && {
      'GET /api/:wire/groups': { ...recordRoutes['GET /api/:wire/groups'], roles: rolesOf(resource, 'list', false) },
    }),
    ...(canRevert(resource) && {
      'POST /api/:wire/:id/revert': {
        ...revertRoute,
        answers: { 200: resource.unwrapped ? revertAnswers.flat : revertAnswers.wrapped },
        refusals: [...refusalsOfWrites(resource), ...revertRoute.refusals],
        roles: rolesOf(resource, 'update', false),
      },
    }),
  }
}

/**
 * Describes the routes of the history for a registry's resources.
 *
 * @param registry - The resources.
 * @param refusalsOfWrites - Returns the codes that refuse writes of a resource.
 * @returns The descriptions by route.
 */
export function describeHistory(
  registry: Readonly<Record<string, Resource>>,
  refusalsOfWrites: RefusalsOfWrites,
): Descriptions {
  const resourceDescriptions = Object.values(registry).map((describedResource) =>
    describeResource(describedResource, contractsOf(describedResource, refusalsOfWrites)),
  )
  return Object.assign({}, ...resourceDescriptions, describeContracts(historyRoutes)) as Descriptions
}
