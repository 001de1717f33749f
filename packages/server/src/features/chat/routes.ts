/** Routes of chat rooms and messages (contract §11). */
import { fault, rankOfRole } from '@dala/model'
import type { FastifyInstance } from 'fastify'
import { addRoutes } from '../../http/contract-routes.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import { createKeyedQueue } from '../../resources/limiter.ts'
import { enterFeature, presentEntry } from '../../resources/feature-routes.ts'
import { answerIdempotently } from '../../resources/write/idempotency.ts'
import { onRoomChange } from '../../domain/conversations/room-changes.ts'
import { idOf } from '../../resources/routes.ts'
import { withDeadlockRetry } from '../../resources/write/write.ts'
import { assignRoom } from './assign.ts'
import { listChanges } from './changes.ts'
import { createRoomEmitter } from './deliver.ts'
import { listMessagesAround, listMessages } from './message-list.ts'
import { edit, removeMessage } from './message-edits.ts'
import { sendMessage } from './messages.ts'
import { markRoomRead, markUnread, type ReadRoutes } from './reads.ts'
import { listOwnRooms, listRooms } from './room-list.ts'
import { endWait } from './no-reply.ts'
import { loadRoomEvent } from './room-event.ts'
import { findOrCreateRoom, requestedPair } from './rooms.ts'
import { changeRoomState } from './state.ts'
import { onRoomEvents, emitRevisions } from './client-events.ts'
import { listAssignableAgents } from './assignable-agents.ts'

const chatrooms = resourceNamed('chatrooms')
const chatmessages = resourceNamed('chatmessages')

/** Maximum number of messages that wait for one chat room; more are answered with 503. */
const maxWaiting = 100

interface ChatRoutes extends ReadRoutes {
  tickSeconds: number
}

/** Subscribes to changes of chat rooms and to client events on the sockets, until the application closes. */
function joinSockets(app: FastifyInstance, { database, sockets, tickSeconds }: ChatRoutes): void {
  const emitChange = createRoomEmitter(sockets, app.log)
  onRoomEvents(sockets, database)
  const stopCalls = [
    onRoomChange(database, async (trx, change) => {
      const event = await loadRoomEvent(trx, change)
      return () => event && emitChange(event)
    }),
    emitRevisions(sockets, database, { seconds: tickSeconds, log: app.log }),
  ]
  app.addHook('preClose', async () => {
    for (const stopCall of stopCalls) stopCall()
  })
}

/** Registers the routes of the chat that differ from the generic ones. */
export function registerChat(app: FastifyInstance, routes: ChatRoutes): void {
  joinSockets(app, routes)
  registerRooms(app, routes)
  registerMessages(app, routes)
}

function registerRooms(app: FastifyInstance, routes: ChatRoutes): void {
  const { database } = routes
  addRoutes(app, async () => (await import('@dala/model/api/chat/rooms')).roomRoutes, {
    'GET /api/chatrooms': async ({ request }) =>
      listRooms(routes, await enterFeature(routes, chatrooms, 'list', request)),

    'GET /api/get_customized_rooms': async ({ request, query }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'list', request)
      return listOwnRooms(routes, enteredCall, await query())
    },

    'GET /api/chatrooms/takers': async ({ request, query }) => {
      const { caller } = await enterFeature(routes, chatrooms, 'list', request)
      if (!caller.isConsultant && rankOfRole(caller.role) < rankOfRole('admin')) throw fault('access.denied')
      return listAssignableAgents(database, caller, await query())
    },

    'POST /api/chatrooms': async ({ request, reply, body }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'create', request)
      const { caller } = enteredCall
      const newRoom = requestedPair((await body()).data, caller)
      return answerIdempotently({ database, caller, request, reply }, async (trx) => {
        const id = await findOrCreateRoom(trx, database, enteredCall, newRoom)
        return presentEntry(trx, chatrooms, id, enteredCall)
      })
    },

    'POST /api/chatrooms/:id/assign': async ({ request, reply, body }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'get', request)
      const [id, { data }] = [idOf(request), await body()]
      return answerIdempotently({ database, caller: enteredCall.caller, request, reply }, async (trx) => {
        const rev = await assignRoom(trx, database, enteredCall, id, data)
        return { ...(await presentEntry(trx, chatrooms, id, enteredCall)), rev }
      })
    },

    'POST /api/chatrooms/:id/state': async ({ request, reply, body }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'update', request)
      const [id, { data }] = [idOf(request), await body()]
      return answerIdempotently({ database, caller: enteredCall.caller, request, reply }, async (trx) => {
        const rev = await changeRoomState(trx, database, enteredCall, id, data)
        return { ...(await presentEntry(trx, chatrooms, id, enteredCall)), rev }
      })
    },

    'POST /api/chatrooms/:id/no-reply': async ({ request, reply, body }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'get', request)
      const [id, { data }] = [idOf(request), await body()]
      return answerIdempotently({ database, caller: enteredCall.caller, request, reply }, async (trx) => {
        const rev = await endWait(trx, database, enteredCall, id, data)
        return { ...(await presentEntry(trx, chatrooms, id, enteredCall)), rev }
      })
    },

    'GET /api/chatrooms/:id/changes': async ({ request, query }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'get', request)
      return listChanges(routes, enteredCall, idOf(request), await query())
    },

    'POST /api/chatrooms/:id/unread': async ({ request, body }) => {
      const enteredCall = await enterFeature(routes, chatrooms, 'get', request)
      return markUnread(routes, enteredCall, idOf(request), (await body()).data.from)
    },
  })
}

function registerMessages(app: FastifyInstance, routes: ChatRoutes): void {
  const { database } = routes
  // A message locks its chat room: waiting writers of the room must not hold a connection each.
  const runInTurn = createKeyedQueue(maxWaiting)

  addRoutes(
    app,
    async () => (await import('@dala/model/api/chat/messages')).messageRoutes,
    {
      'GET /api/seen_messages': async ({ request, reply, query }) => {
        const enteredCall = await enterFeature(routes, chatrooms, 'get', request)
        reply.header('cache-control', 'no-store')
        return markRoomRead(routes, enteredCall, await query())
      },

      'GET /api/chatmessages': async ({ request, query }) => {
        const enteredCall = await enterFeature(routes, chatmessages, 'list', request)
        return (await listMessagesAround(routes, enteredCall, await query())) ?? listMessages(routes, enteredCall)
      },

      'POST /api/chatmessages': async ({ request, reply, body }) => {
        const enteredCall = await enterFeature(routes, chatmessages, 'create', request)
        const { data } = await body()
        return runInTurn(data.room, () =>
          answerIdempotently({ database, caller: enteredCall.caller, request, reply }, (trx) =>
            sendMessage(trx, database, enteredCall, data),
          ),
        )
      },

      // A user who may read the message gets 403; for others the message does not exist.
      'PUT /api/chatmessages/:id': async ({ request, body }) => {
        const enteredCall = await enterFeature(routes, chatmessages, 'get', request)
        const [id, { data }] = [idOf(request), await body()]
        return withDeadlockRetry(database, (trx) => edit(trx, database, enteredCall, id, data))
      },

      'DELETE /api/chatmessages/:id': async ({ request }) => {
        const enteredCall = await enterFeature(routes, chatmessages, 'get', request)
        const id = idOf(request)
        return withDeadlockRetry(database, (trx) => removeMessage(trx, database, enteredCall, id))
      },
    },
    // The read of chat messages also moves a mark, so it is never cached and never prefetched (chat §1).
    { 'GET /api/seen_messages': { config: { isWriting: true } } },
  )
}
