/** Routes of the desk that are not part of the chat protocol (chat §4–§6). */
import { fault, rankOfRole } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addRoutes } from '../../../http/contract-routes.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { type EnteredCall, enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import { answerIdempotently } from '../../../resources/write/idempotency.ts'
import { idOf } from '../../../resources/routes.ts'
import { readBoard } from './board.ts'
import { convertMessages } from './convert.ts'
import { readRoomHistory } from './history.ts'
import { rateEpisode, readRatings } from './ratings.ts'
import { reassignRooms } from './reassign.ts'
import { searchMessages } from './search.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** Registers the routes of the chat desk. */
export function registerDesk(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes
  const enterRoom = (request: FastifyRequest) => enterFeature(routes, chatrooms, 'get', request)
  /**
   * Enters a caller who may assign chat rooms of others.
   *
   * @throws 403
   */
  const enterAsStaff = async (request: FastifyRequest): Promise<EnteredCall> => {
    const enteredCall = await enterRoom(request)
    if (rankOfRole(enteredCall.caller.role) < rankOfRole('admin')) throw fault('access.denied')
    return enteredCall
  }

  addRoutes(app, async () => (await import('@dala/model/api/chat/desk')).deskRoutes, {
    'GET /api/chatmessages/search': async ({ request, query }) => {
      const enteredCall = await enterFeature(routes, chatmessages, 'list', request)
      return searchMessages(routes, enteredCall, await query())
    },

    'GET /api/chatrooms/:id/history': async ({ request }) =>
      readRoomHistory(routes, await enterRoom(request), idOf(request)),

    'GET /api/chatrooms/board': async ({ request }) => {
      await enterAsStaff(request)
      return readBoard(database)
    },

    'POST /api/chatrooms/reassign': async ({ request, body }) => {
      const enteredCall = await enterAsStaff(request)
      return { results: await reassignRooms(database, enteredCall, (await body()).data) }
    },

    'GET /api/chatrooms/:id/ratings': async ({ request }) =>
      readRatings(routes, await enterRoom(request), idOf(request)),

    'POST /api/chatrooms/:id/rating': async ({ request, reply, body }) => {
      const enteredCall = await enterRoom(request)
      const [id, { data }] = [idOf(request), await body()]
      return answerIdempotently({ database, caller: enteredCall.caller, request, reply }, async (trx) => ({
        data: await rateEpisode(trx, enteredCall, id, data),
      }))
    },

    'POST /api/chatrooms/:id/convert': async ({ request, reply, body }) => {
      const enteredCall = await enterRoom(request)
      const { caller } = enteredCall
      const [id, { data }] = [idOf(request), await body()]
      return answerIdempotently({ database, caller, request, reply }, (trx) =>
        convertMessages(trx, database, enteredCall, id, data),
      )
    },
  })
}
