/** Two-step sign-in of the user's own account: setup, new recovery codes, turning it off. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { formatDate, formatNumber } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LoadedPart, Part } from '../../resource/part.tsx'
import { Button } from '../../ui/button.tsx'
import { Details } from '../../ui/layout/details.tsx'
import { StatusChip } from '../../ui/feedback/status-chip.tsx'
import { NewCodesDialog, TurnOffDialog } from './dialogs.tsx'
import { TwoStepSetup } from './setup.tsx'
import { twoStepQuery } from './two-step.ts'

export function TwoStepPart({ me }: { me: CurrentUser }) {
  const t = useT()
  const locale = useLocale()
  const query = useQuery(twoStepQuery)
  // A reason against setting up the second step is shown before the user types a password.
  const obstacle = useObstacle()
  const [isSettingUp, setSettingUp] = useState(false)
  const [openDialog, setOpenDialog] = useState<'codes' | 'off' | null>(null)
  const root = useRef<HTMLDivElement>(null)
  /**
   * State of two-step sign-in that is expected from the server. When that state is shown, the focused control
   * is gone, and the first button of the part takes the focus.
   */
  const expectedState = useRef<boolean>(undefined)
  const on = query.data?.on
  if (on && isSettingUp) setSettingUp(false)
  useEffect(() => {
    if (expectedState.current === undefined || expectedState.current !== on) return
    expectedState.current = undefined
    root.current?.querySelector('button')?.focus()
  }, [on, isSettingUp])
  const closeDialog = () => setOpenDialog(null)
  const cancel = () => {
    expectedState.current = false
    setSettingUp(false)
  }
  const handleToggled = (isTurnedOn: boolean) => {
    expectedState.current = isTurnedOn
    if (!isTurnedOn) cancel()
    closeDialog()
    void query.refetch()
  }
  return (
    <Part
      title={t('account.twoStep')}
      aside={
        query.data ? (
          <StatusChip tone={query.data.on ? 'good' : 'quiet'}>
            {t(query.data.on ? 'account.twoStep.on' : 'account.twoStep.off')}
          </StatusChip>
        ) : null
      }
    >
      <div ref={root}>
        <LoadedPart query={query}>
          {({ on, since, recovery_left: remainingCodes, required }) =>
            on ? (
              <div className="grid gap-4">
                <Details
                  details={[
                    { label: t('account.twoStep.since'), value: since && formatDate(since) },
                    { label: t('account.recovery.left'), value: formatNumber(locale, remainingCodes) },
                  ]}
                />
                {remainingCodes <= 2 ? <p className="text-warning-text">{t('account.recovery.few')}</p> : null}
                <div className="flex flex-wrap gap-2">
                  <Button disabled={obstacle} onClick={() => setOpenDialog('codes')}>
                    {t('account.recovery.renew')}
                  </Button>
                  {required ? null : (
                    <Button disabled={obstacle} onClick={() => setOpenDialog('off')}>
                      {t('account.twoStep.turnOff')}
                    </Button>
                  )}
                </div>
                {required ? <p className="text-sm text-muted">{t('account.twoStep.stays')}</p> : null}
              </div>
            ) : isSettingUp ? (
              <TwoStepSetup me={me} onCancel={cancel} onDone={() => handleToggled(true)} />
            ) : (
              <div className="grid justify-items-start gap-4">
                <p className="max-w-[60ch] text-muted">{t('account.twoStep.text')}</p>
                <Button kind="primary" disabled={obstacle} onClick={() => setSettingUp(true)}>
                  {t('account.twoStep.setUp')}
                </Button>
              </div>
            )
          }
        </LoadedPart>
      </div>
      <NewCodesDialog me={me} open={openDialog === 'codes'} onClose={closeDialog} onDone={() => void query.refetch()} />
      <TurnOffDialog me={me} open={openDialog === 'off'} onClose={closeDialog} onDone={() => handleToggled(false)} />
    </Part>
  )
}
