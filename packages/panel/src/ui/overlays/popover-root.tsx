/** The open panel of a popover: beside its button in a wide window, a sheet at the lower edge of a phone. */
import { Popover as Base } from '@base-ui/react/popover'
import X from 'lucide-react/icons/x'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { iconButtonClass } from '../icon-button.tsx'
import { Scrim } from './scrim.tsx'

interface PopoverRootProps {
  trigger: ReactElement
  title: string
  align: 'start' | 'end'
  children: (closePopover: () => void) => ReactNode
}

export function PopoverRoot({ trigger, title, align, children }: PopoverRootProps) {
  const t = useT()
  const [isOpen, setOpen] = useState(true)
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Backdrop render={<Scrim isPhoneOnly />} />
        <Base.Positioner sideOffset={6} align={align} className="float-positioner">
          <Base.Popup className="float-popup max-h-[min(var(--available-height,80vh),560px)]! max-md:max-h-[85dvh]!">
            <div className="grid gap-4 p-3 md:w-[340px]">
              <div className="-mt-1 flex items-center justify-between gap-3">
                <Base.Title className="text-lg font-semibold">{title}</Base.Title>
                <Base.Close aria-label={t('action.close')} className={iconButtonClass}>
                  <X size={18} aria-hidden />
                </Base.Close>
              </div>
              {children(() => setOpen(false))}
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
