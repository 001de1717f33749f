/** The desk's own work beside the protocol of the chat (chat §4–§6). */
import { fault, rankOf } from '@dala/model'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ActionBody } from '../../../resources/action-body.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { type Entered, enterFeature, type FeatureRoutes } from '../../../resources/feature-routes.ts'
import { answerOnce } from '../../../resources/write/idempotency.ts'
import { idOf } from '../../../resources/routes.ts'
import { readBoard } from './board.ts'
import { convert, readConversion } from './convert.ts'
import { historyOf } from './history.ts'
import { rate, ratingsOf, readRating } from './ratings.ts'
import { readReassignment, reassign } from './reassign.ts'
import { searchMessages } from './search.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** Registers the routes. */
export function registerDesk(app: FastifyInstance, routes: FeatureRoutes): void {
  const { database } = routes
  const enterRoom = (request: FastifyRequest) => enterFeature(routes, chatrooms, 'get', request)
  /** Throws 403 for who shares out no work. */
  const enterAsStaff = async (request: FastifyRequest): Promise<Entered> => {
    const entered = await enterRoom(request)
    if (rankOf(entered.caller.role) < rankOf('admin')) throw fault('access.denied')
    return entered
  }

  app.get('/api/chatmessages/search', async (request) =>
    searchMessages(routes, await enterFeature(routes, chatmessages, 'list', request)),
  )

  app.get('/api/chatrooms/:id/history', async (request) => historyOf(routes, await enterRoom(request), idOf(request)))

  app.get('/api/chatrooms/board', async (request) => {
    await enterAsStaff(request)
    return readBoard(database)
  })

  app.post('/api/chatrooms/reassign', async (request) => {
    const entered = await enterAsStaff(request)
    return { results: await reassign(database, entered, readReassignment(new ActionBody(request))) }
  })

  app.get('/api/chatrooms/:id/ratings', async (request) => ratingsOf(routes, await enterRoom(request), idOf(request)))

  app.post('/api/chatrooms/:id/rating', async (request, reply) => {
    const entered = await enterRoom(request)
    const [id, rating] = [idOf(request), readRating(new ActionBody(request))]
    return answerOnce({ database, caller: entered.caller, request, reply }, async (trx) => ({
      data: await rate(trx, entered, id, rating),
    }))
  })

  app.post('/api/chatrooms/:id/convert', async (request, reply) => {
    const entered = await enterRoom(request)
    const { caller } = entered
    const [id, wanted] = [idOf(request), readConversion(new ActionBody(request), caller.language)]
    return answerOnce({ database, caller, request, reply }, (trx) => convert(trx, database, entered, id, wanted))
  })
}
