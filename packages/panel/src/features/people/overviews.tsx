/** Pages of a consultant, a user and a staff member. */
import type { ReactNode } from 'react'
import type { OverviewSlots, OverviewProps } from '../../resource/screen-parts.ts'
import { AccountActions } from './account-actions.tsx'
import { useReader } from './account.ts'
import { LatestConsultations, LatestPosts, LatestRooms } from './latest.tsx'
import { LoadPart } from './load-part.tsx'
import { AccountLine, ConsultantLine, PersonLead } from './person-head.tsx'
import { PersonDescription, AccountPart, WorkPart } from './person-parts.tsx'

function OverviewColumns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <div className="mb-8 grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 gap-5 empty:hidden">{main}</div>
      <aside className="grid gap-5">{aside}</aside>
    </div>
  )
}

function ConsultantOverview({ record }: OverviewProps) {
  const { isSelf, isStaff } = useReader(record)
  // Consultants do not see the questions and rooms of other consultants (contract §14).
  const seesWork = isSelf || isStaff
  return (
    <OverviewColumns
      main={
        <>
          <WorkPart record={record} />
          <PersonDescription record={record} />
          {seesWork ? (
            <>
              <LatestConsultations id={record.id} side="consultant" />
              <LatestRooms id={record.id} side="consultant" />
            </>
          ) : null}
        </>
      }
      aside={
        <>
          {seesWork ? <LoadPart id={record.id} /> : null}
          <AccountPart record={record} />
        </>
      }
    />
  )
}

function UserOverview({ record }: OverviewProps) {
  const { isSelf, isStaff } = useReader(record)
  return (
    <OverviewColumns
      main={
        <>
          <WorkPart record={record} />
          <PersonDescription record={record} />
          {isSelf || isStaff ? (
            <>
              <LatestConsultations id={record.id} side="user" />
              <LatestRooms id={record.id} side="user" />
              <LatestPosts id={record.id} />
            </>
          ) : null}
        </>
      }
      aside={<AccountPart record={record} />}
    />
  )
}

function StaffOverview({ record }: OverviewProps) {
  return (
    <OverviewColumns
      main={
        <>
          <WorkPart record={record} />
          <PersonDescription record={record} />
        </>
      }
      aside={<AccountPart record={record} />}
    />
  )
}

const headSlots = { Lead: PersonLead, Actions: AccountActions }

export const consultantOverview: OverviewSlots = { ...headSlots, Line: ConsultantLine, Overview: ConsultantOverview }
export const userOverview: OverviewSlots = { ...headSlots, Line: AccountLine, Overview: UserOverview }
export const staffOverview: OverviewSlots = { ...headSlots, Line: AccountLine, Overview: StaffOverview }
