/**
 * A spinner for work of unknown length; it also turns under reduced motion, because it conveys information.
 */
import LoaderCircle from 'lucide-react/icons/loader-circle'

export function Spinner({ size = 17 }: { size?: number }) {
  return <LoaderCircle size={size} aria-hidden className="shrink-0 animate-[turn_900ms_linear_infinite]" />
}
