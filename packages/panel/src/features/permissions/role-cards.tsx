/**
 * The headers of the roles: number of accounts, whether they need a second step, and viewing the panel as
 * them.
 */
import { type Entry, isRoleType, rankOfRole, resources, type RoleType } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { viewAs } from '../../api/renew.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { callerRoleOf, type CurrentUser } from '../../api/session.ts'
import { useObstacle, useViewedRole } from '../../api/use-obstacle.ts'
import { mayViewAs, viewedRoles } from '../../api/viewing.ts'
import { useT } from '../../lib/i18n.ts'
import { grantForUser } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import type { ColumnName } from './matrix.ts'
import { columnLabel } from './labels.ts'

const { roles } = resources

/** Records of the roles by type. */
function useRoles() {
  const query = useQuery(
    resourceQueries(roles).list({
      fields: ['name', 'type', 'two_step', 'nb_users'],
      pagination: { pageSize: 20, withCount: false },
    }),
  )
  const rolesByType = new Map<RoleType, Entry>()
  for (const role of query.data?.entries ?? []) if (isRoleType(role.type)) rolesByType.set(role.type, role)
  return { ...query, byType: rolesByType }
}

export function RoleCards({ columns, me }: { columns: readonly ColumnName[]; me: CurrentUser }) {
  const t = useT()
  const { byType, error, data, refetch } = useRoles()
  if (error && !data)
    return (
      <Sheet>
        <FailureState
          title={t('permissions.rolesFailed')}
          text={messageOfFailure(error)}
          onRetry={() => void refetch()}
        />
      </Sheet>
    )
  return (
    <ul aria-label={t('permissions.roles')} className="grid grid-cols-6 gap-3 max-xl:grid-cols-3 max-md:grid-cols-1">
      {columns.map((column) => (
        <RoleCard
          key={column}
          column={column}
          me={me}
          role={column === 'consultant' ? undefined : byType.get(column)}
        />
      ))}
    </ul>
  )
}

function RoleCard({ column, me, role }: { column: ColumnName; me: CurrentUser; role: Entry | undefined }) {
  const t = useT()
  const count = role?.['nb_users']
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-3 border border-line bg-surface px-3.5 py-3.5">
      <h2 className="font-semibold">{columnLabel(t, column)}</h2>
      <p className="min-h-[2lh] flex-1 text-sm leading-tight text-muted max-md:min-h-0">
        {column === 'consultant'
          ? t('permissions.consultant')
          : typeof count === 'number'
            ? t('permissions.accounts', { count })
            : null}
      </p>
      {role && column !== 'public' ? <TwoStep role={role} column={column} me={me} /> : null}
      <ViewAs column={column} me={me} />
    </li>
  )
}

/** Viewing the panel as a role is offered only for roles below the user's own. */
function ViewAs({ column, me }: { column: ColumnName; me: CurrentUser }) {
  const t = useT()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const viewedRole = useViewedRole()
  const role = viewedRoles.find((name) => name === column)
  if (!role || !mayViewAs(me.ownRole ?? callerRoleOf(me).role, role)) return null
  const start = async () => {
    await navigate({ to: '/app' })
    await viewAs(cache, role)
  }
  return (
    <Button
      className="px-2! text-sm!"
      aria-label={t('permissions.viewAsRole', { role: columnLabel(t, column) })}
      disabled={viewedRole === role && t('permissions.viewed', { role: columnLabel(t, column) })}
      onClick={() => void start()}
    >
      {t('permissions.viewAs')}
    </Button>
  )
}

function TwoStep({ role, column, me }: { role: Entry; column: ColumnName; me: CurrentUser }) {
  const t = useT()
  const cache = useQueryClient()
  const obstacle = useObstacle()
  const [isConfirming, setConfirming] = useState(false)
  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: (two_step: boolean) => resourceQueries(roles).update(role.id, { two_step }),
    onSuccess: () => setConfirming(false),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', roles.name] }),
  })
  const ownRole = callerRoleOf(me).role
  const type = column === 'consultant' ? 'authenticated' : column
  // Only users with a higher role may change the role of the card; an owner may change all roles, including
  // their own.
  const mayChange =
    grantForUser(roles, 'update', me) !== false && (ownRole === 'owner' || rankOfRole(ownRole) > rankOfRole(type))
  const name = columnLabel(t, column)
  const count = typeof role['nb_users'] === 'number' ? role['nb_users'] : 0
  const isChecked = save.isPending && !isConfirming ? save.variables : role['two_step'] === true
  const failure = save.error ? messageOfFailure(save.error) : undefined
  return (
    <div className="grid gap-1 text-sm leading-tight">
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden>{t('roles.fields.two_step')}</span>
        <Switch
          aria-label={t('permissions.twoStepOf', { role: name })}
          checked={isChecked}
          disabled={mayChange ? (obstacle ?? (save.isPending && t('form.isSaving'))) : t('permissions.twoStepNoRight')}
          onCheckedChange={(isRequired) => {
            save.reset()
            if (isRequired) setConfirming(true)
            else save.mutate(false)
          }}
        />
      </div>
      {failure && !isConfirming ? <p role="alert">{`${t('permissions.twoStepFailed')}. ${failure}`}</p> : null}
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={t('permissions.twoStepTitle', { role: name })}
        description={[
          t('permissions.twoStepText', { count }),
          ...(ownRole === type && !me.ownRole ? [t('permissions.twoStepOwn')] : []),
        ].join(' ')}
        confirmLabel={t('permissions.twoStepDo')}
        isBusy={save.isPending}
        failure={failure}
        onConfirm={() => save.mutate(true)}
      />
    </div>
  )
}
