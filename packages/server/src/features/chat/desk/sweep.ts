/** Returns overdue rooms to the queue every 30 s and notifies users who can take free ones (chat §5). */
import { sql } from '../../../db/sql.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import { RepeatedWork } from '../../../db/repeated-work.ts'
import { resourceNamed } from '../../../resources/attributes.ts'
import { isStaffSql } from '../../../domain/conversations/desk.ts'
import { handOverRoom } from '../../../domain/conversations/desk-moves.ts'
import { routeRoom } from '../../../domain/conversations/routing.ts'
import { userNameSql } from '../../../domain/accounts/user-name.ts'
import { lockEntry } from '../../../resources/write/examine.ts'
import { programCaller } from '../../../resources/history/history.ts'
import { notifyUsers } from '../../../domain/delivery/notices.ts'
import { withDeadlockRetry } from '../../../resources/write/write.ts'
import { presentWait } from './waiting.ts'

const sweepIntervalMs = 30_000
const batchSize = 500
const programAuthor = { caller: programCaller }

interface WaitingRoom {
  id: number
  episode: number
  asked: string
  due: string
  now: string
}

interface AssignedWaiting extends WaitingRoom {
  owner: number
  assigned: string
}

const isReachableSql = sql`u.active and not u.blocked and u.removed_at is null and u.chat_notify <> 'none'`

const subjectOf = (room: number) => ({ resource: 'chatrooms', document: room })

/** Reads a user's name for a notification. */
async function readUserName(trx: Transaction, user: unknown): Promise<string> {
  const [row] = await trx.query(sql<{ name: string }>`select ${userNameSql} as name from users u where u.id = ${user}`)
  return row?.name ?? '—'
}

/**
 * Reads the users to notify: staff, and consultants who have answered in the chat room's category, or all
 * consultants if none has.
 */
async function findPeopleToNotify(trx: Transaction, room: number, withConsultants: boolean): Promise<number[]> {
  const people = await trx.query(sql<{ id: number }>`
    with room as (select sender_id, category_id from chatrooms where id = ${room}),
    consultant as (
      select u.id, exists (select 1 from consultations c where c.consultant_id = u.id and c.category_id = room.category_id)
               or exists (select 1 from room_replies p join chatrooms r on r.id = p.room_id
                           where p.consultant_id = u.id and r.category_id = room.category_id) as knows
        from users u, room where ${withConsultants} and u.is_consultant and u.id <> room.sender_id and ${isReachableSql})
    select id from consultant where knows or not exists (select 1 from consultant where knows)
    union select u.id from users u join roles on roles.id = u.role_id, room
     where ${isStaffSql(sql`roles.type`)} and u.id <> room.sender_id and ${isReachableSql}
     order by id`)
  return people.map(({ id }) => id)
}

export class DeskSweep {
  readonly #database: Database
  readonly #clock = new RepeatedWork(sweepIntervalMs)

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Sweeps the chat rooms of the desk now and every 30 seconds.
   *
   * @param onError - Handles an error, which must not end the process.
   */
  start(onError: (error: unknown) => void): void {
    this.#clock.start(() => this.sweep(onError), onError)
  }

  /** Stops the clock of the sweep and waits for a run that has begun. */
  stop(): Promise<void> {
    return this.#clock.stop()
  }

  /**
   * Sweeps the chat rooms of the desk once. Every instance does; the lock of a chat room and the key of its
   * alarm permit only one of them to act.
   *
   * @param onError - Handles an error of one room, so that the others are still processed.
   * @returns The numbers of rooms returned to the queue and of rooms whose users were notified.
   */
  async sweep(onError: (error: unknown) => void): Promise<{ returned: number; notified: number }> {
    return {
      returned: await this.#each(await this.#late(), returnRoomToQueue, onError),
      notified: await this.#each(await this.#unheard(), notifyWaitingRoom, onError),
    }
  }

  async #each<T>(
    rooms: readonly T[],
    act: (trx: Transaction, room: T) => Promise<boolean>,
    onError: (error: unknown) => void,
  ): Promise<number> {
    let count = 0
    for (const room of rooms) {
      try {
        if (await withDeadlockRetry(this.#database, (trx) => act(trx, room))) count += 1
      } catch (error) {
        onError(error)
      }
    }
    return count
  }

  /** Finds chat rooms whose new owner has not replied within the target; the longest assigned first. */
  async #late(): Promise<AssignedWaiting[]> {
    const rooms = await this.#database.query(sql<AssignedWaiting>`
      select r.id, r.episode, r.waiting_since as asked, r.due_at as due, now() as now, r.assignee_id as owner, a.created_at as assigned
        from chatrooms r cross join lateral (
          select c.created_at, (c.data ->> 'to')::int as given from room_changes c
           where c.room_id = r.id and c.type = 'assigned' order by c.rev desc limit 1) a
       where r.waiting_since is not null and r.due_at < now() and r.assignee_id = a.given and r.state <> 'closed'
         and not exists (select 1 from room_replies p
           where p.room_id = r.id and p.consultant_id = r.assignee_id and p.replied_at >= a.created_at)
       order by greatest(r.waiting_since, a.created_at) limit ${batchSize}`)
    const { calendar } = this.#database
    return rooms.filter(({ asked, due, now, assigned }) => {
      const waitStart = Math.max(Date.parse(asked), Date.parse(assigned))
      return calendar.workingTime.add(waitStart, presentWait(calendar, asked, due).minutes) <= Date.parse(now)
    })
  }

  /** Finds free chat rooms past half their target, without an alarm for the present episode. */
  async #unheard(): Promise<WaitingRoom[]> {
    const rooms = await this.#database.query(sql<WaitingRoom>`
      select r.id, r.episode, r.waiting_since as asked, r.due_at as due, now() as now from chatrooms r
       where r.waiting_since is not null and r.assignee_id is null and r.receiver_id is null and r.state <> 'closed'
         and not exists (select 1 from room_alarms a where a.room_id = r.id and a.episode = r.episode)
       order by r.due_at limit ${batchSize}`)
    const { calendar } = this.#database
    return rooms.filter(({ asked, due, now }) => {
      const { waitingFrom: startOfWait, minutes } = presentWait(calendar, asked, due)
      return calendar.workingTime.add(startOfWait, minutes / 2) <= Date.parse(now)
    })
  }
}

/**
 * Takes a chat room from its owner, unless the owner has replied or the room has changed. The rules of routing
 * may give it to somebody else; otherwise staff are notified.
 */
async function returnRoomToQueue(trx: Transaction, { id, owner, asked }: AssignedWaiting): Promise<boolean> {
  const room = await lockEntry(trx, resourceNamed('chatrooms'), id, { author: programAuthor, view: {} })
  if (!room || room.values.assignee !== owner || room.values.waiting_since !== asked) return false
  await handOverRoom(
    trx,
    { database: trx.database, author: programAuthor },
    room,
    { assignee: null, receiver: null },
    null,
  )
  if (await routeRoom(trx, id)) return true
  const params = { customer: await readUserName(trx, room.values.sender), consultant: await readUserName(trx, owner) }
  const users = await findPeopleToNotify(trx, id, false)
  await notifyUsers(trx, { users, kind: 'desk.returned', params, address: `/chats/${id}`, subject: subjectOf(id) })
  return true
}

/** Notifies the users who can take a free chat room, once per episode. */
async function notifyWaitingRoom(trx: Transaction, { id, episode }: WaitingRoom): Promise<boolean> {
  const [room] = await trx.query(sql<{ sender: number }>`
    select sender_id as sender from chatrooms where id = ${id} and episode = ${episode} and waiting_since is not null
       and assignee_id is null and receiver_id is null for update`)
  if (!room) return false
  const [alarm] = await trx.query(sql`
    insert into room_alarms (room_id, episode) values (${id}, ${episode}) on conflict do nothing returning room_id`)
  if (!alarm) return false
  const users = await findPeopleToNotify(trx, id, true)
  const params = { customer: await readUserName(trx, room.sender) }
  const key = `${id}:${episode}`
  await notifyUsers(trx, { users, kind: 'desk.waiting', params, address: `/chats/${id}`, subject: subjectOf(id), key })
  return true
}
