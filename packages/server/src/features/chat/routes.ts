/** Rooms and messages (contract §11). */
import type { FastifyInstance } from 'fastify'
import { ActionBody } from '../../resources/action-body.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { createTurns } from '../../resources/bounded.ts'
import { enterFeature, presentEntry } from '../../resources/feature-routes.ts'
import { answerOnce } from '../../resources/write/idempotency.ts'
import { tellRooms } from '../../domain/conversations/room-changes.ts'
import { idOf } from '../../resources/routes.ts'
import { writing } from '../../resources/write/write.ts'
import { assign } from './assign.ts'
import { listChanges } from './changes.ts'
import { deliverOver } from './deliver.ts'
import { readMessage } from './message-body.ts'
import { listAround, listMessages } from './message-list.ts'
import { edit, remove } from './message-edits.ts'
import { send } from './messages.ts'
import { markRead, markUnread, type ReadRoutes } from './reads.ts'
import { listOwnRooms, listRooms } from './room-list.ts'
import { readNews } from './room-news.ts'
import { ensureRoom, readRoom } from './rooms.ts'
import { changeState } from './state.ts'
import { hearRooms, tellRevisions } from './words.ts'
import { listTakers } from './takers.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** Messages to one room that wait for the one being written; more are answered 503. */
const maxWaiting = 100

interface ChatRoutes extends ReadRoutes {
  tickSeconds: number
}

/** Starts to tell and to hear on the sockets; it ends with the application. */
function joinSockets(app: FastifyInstance, { database, sockets, tickSeconds }: ChatRoutes): void {
  const deliver = deliverOver(sockets, app.log)
  hearRooms(sockets, database)
  const stops = [
    tellRooms(database, async (trx, change) => {
      const news = await readNews(trx, change)
      return () => deliver(news)
    }),
    tellRevisions(sockets, database, { seconds: tickSeconds, log: app.log }),
  ]
  app.addHook('preClose', async () => {
    for (const stop of stops) stop()
  })
}

/** Registers the routes that are not like those of other records; the rest is generic. */
export function registerChat(app: FastifyInstance, routes: ChatRoutes): void {
  const { database } = routes
  joinSockets(app, routes)
  // A message locks its room: the writers of a lively one must not wait with a connection each.
  const inTurn = createTurns(maxWaiting)

  app.get('/api/chatrooms', async (request) =>
    listRooms(routes, await enterFeature(routes, chatrooms, 'list', request)),
  )

  app.get('/api/get_customized_rooms', async (request) =>
    listOwnRooms(routes, await enterFeature(routes, chatrooms, 'list', request)),
  )

  app.get('/api/chatrooms/takers', async (request) => {
    const { caller, query } = await enterFeature(routes, chatrooms, 'list', request)
    return listTakers(database, caller, query)
  })

  app.post('/api/chatrooms', async (request, reply) => {
    const entered = await enterFeature(routes, chatrooms, 'create', request)
    const wanted = readRoom(new ActionBody(request), entered.caller)
    return answerOnce({ database, caller: entered.caller, request, reply }, async (trx) => {
      const id = await ensureRoom(trx, database, entered, wanted)
      return presentEntry(trx, chatrooms, id, entered)
    })
  })

  app.post('/api/chatrooms/:id/assign', async (request, reply) => {
    const entered = await enterFeature(routes, chatrooms, 'get', request)
    const [id, body] = [idOf(request), new ActionBody(request)]
    return answerOnce({ database, caller: entered.caller, request, reply }, async (trx) => {
      const rev = await assign(trx, database, entered, id, body)
      return { ...(await presentEntry(trx, chatrooms, id, entered)), rev }
    })
  })

  app.post('/api/chatrooms/:id/state', async (request, reply) => {
    const entered = await enterFeature(routes, chatrooms, 'update', request)
    const [id, body] = [idOf(request), new ActionBody(request)]
    return answerOnce({ database, caller: entered.caller, request, reply }, async (trx) => {
      const rev = await changeState(trx, database, entered, id, body)
      return { ...(await presentEntry(trx, chatrooms, id, entered)), rev }
    })
  })

  app.get('/api/chatrooms/:id/changes', async (request) =>
    listChanges(routes, await enterFeature(routes, chatrooms, 'get', request), idOf(request)),
  )

  app.post('/api/chatrooms/:id/unread', async (request) => {
    const entered = await enterFeature(routes, chatrooms, 'get', request)
    return markUnread(routes, entered, idOf(request), new ActionBody(request))
  })

  // A read that moves a mark: never stored, never fetched ahead (chat §1).
  app.get('/api/seen_messages', { config: { writes: true } }, async (request, reply) => {
    const entered = await enterFeature(routes, chatrooms, 'get', request)
    reply.header('cache-control', 'no-store')
    return markRead(routes, entered)
  })

  app.get('/api/chatmessages', async (request) => {
    const entered = await enterFeature(routes, chatmessages, 'list', request)
    return (await listAround(routes, entered)) ?? listMessages(routes, entered)
  })

  app.post('/api/chatmessages', async (request, reply) => {
    const entered = await enterFeature(routes, chatmessages, 'create', request)
    const message = readMessage(new ActionBody(request))
    return inTurn(message.room, () =>
      answerOnce({ database, caller: entered.caller, request, reply }, (trx) => send(trx, database, entered, message)),
    )
  })

  // Whoever may read a message is told that it is not his; to others it does not exist.
  app.put('/api/chatmessages/:id', async (request) => {
    const entered = await enterFeature(routes, chatmessages, 'get', request)
    const [id, body] = [idOf(request), new ActionBody(request)]
    return writing(database, (trx) => edit(trx, database, entered, id, body))
  })

  app.delete('/api/chatmessages/:id', async (request) => {
    const entered = await enterFeature(routes, chatmessages, 'get', request)
    const id = idOf(request)
    return writing(database, (trx) => remove(trx, database, entered, id))
  })
}
