# 숫자를 얻을 때의 드라이브 상태.

state-fob = FOB
state-filled-once = 한 번 채움
state-filled-twice = 두 번 채움
state-partly-filled = 일부 채움
state-random-written = 두 번 채운 뒤 앞부분을 랜덤으로 씀
state-preconditioned = Pre-Conditioning 완료
state-steady = Steady State
state-not-steady = Steady State 아님
state-three-quarters-full = 75 % 채움
state-as-found = 발견한 그대로
state-region-in-order = 영역을 순차로 씀
state-left-by-probes = 앞선 탐침이 남긴 그대로
state-unknown = 알 수 없음
state-then = { $before }, 이후 { $after }
