/** The switch of notices that this browser shows while the panel is closed, with the reason where it cannot. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { FailureLine } from '../../ui/inputs/field.tsx'
import { Switch } from '../../ui/inputs/switch.tsx'
import { type PushState, pushQuery, useSwitchPush } from './push.ts'

export function PushPart() {
  const t = useT()
  const query = useQuery(pushQuery)
  return (
    <Part title={t('account.notices.here')}>
      <LoadedPart query={query} rows={1}>
        {(push) => <PushSwitch push={push} />}
      </LoadedPart>
    </Part>
  )
}

function PushSwitch({ push }: { push: PushState }) {
  const t = useT()
  const id = useId()
  const obstacle = useObstacle()
  const change = useSwitchPush()
  if (!('key' in push)) return <p className="text-muted">{t(`account.notices.here.${push.state}`)}</p>
  // Without an answer of the API it was the browser that failed.
  const failure =
    change.error instanceof ApiError
      ? messageOfFailure(change.error)
      : change.error
        ? t('account.notices.here.failed')
        : undefined
  const isOn = change.isPending ? change.variables !== undefined : push.state === 'on'
  return (
    <div className="grid gap-3">
      <div className="flex items-center justify-between gap-4">
        <span id={id} className="max-w-[60ch]">
          {t('account.notices.here.text')}
        </span>
        <Switch
          checked={isOn}
          disabled={obstacle}
          onCheckedChange={(on) => change.mutate(on ? push.key : undefined)}
          aria-labelledby={id}
        />
      </div>
      <FailureLine>{failure}</FailureLine>
    </div>
  )
}
