# 측정이 거부되거나 멈추거나 이어지지 않는 까닭, 측정하며 적는 것.

## 한도
lab-temperature-limit-unknown = `--max-temperature`를 지킬 수 없음. 드라이브의 온도를 알 수 없음: { $why }
lab-hint-temperature-unknown = 빼거나 온도를 알 수 있게 하세요
lab-write-limit-unknown = `--max-write`를 지킬 수 없음. 측정이 전에 쓴 양을 알 수 없음: { $why }
lab-hint-new-run = 이 한도로 측정을 새로 시작하세요
lab-write-limit-low = 측정이 적어도 { $least } 쓰는데 `--max-write`는 { $most }까지 허용함
lab-write-limit-low-resumed = 측정이 적어도 { $least } 쓰는데(그중 { $before }은 이미 씀) `--max-write`는 { $most }까지 허용함
lab-hint-write-limit-low = 더 허용하거나 덜 쓰세요: 회차를 줄이거나, `ssdlab plan`에서 덜 쓴다고 하는 벤치마크나 프로파일
lab-write-limit-ahead = 쓰면 { $total }이 되는데 `--max-write`는 { $most }까지 허용함
lab-write-limit-reached = { $total } 썼는데 `--max-write`는 { $most }까지 허용함
lab-hint-write-limit = `--max-write`로 더 허용하세요
lab-temperature-lost = `--max-temperature`를 더는 지킬 수 없음: { $why }
lab-hint-dmesg = `dmesg`를 확인하세요
lab-too-warm = 작업 시작 { $time } 뒤 드라이브가 { $now } °C였는데 `--max-temperature`는 { $most } °C까지 허용함
lab-too-warm-before = 작업 전에 드라이브가 { $now } °C였는데 `--max-temperature`는 { $most } °C까지 허용함
lab-hint-cool = 드라이브를 더 식히고 쉬게 하세요

## 이어 하기
lab-probes-not-resumed = 진단은 이어서 할 수 없음: 앞의 진단이 남긴 상태를 바탕으로 함
lab-hint-probes-anew = 멈출 때까지의 답은 `{ $path }`에 있음. 새로 시작하세요: `ssdlab probe`
lab-sustain-not-resumed = 지속 쓰기는 이어서 할 수 없음: 그 뒤로 드라이브가 쉼
lab-sustain-again = 지속 쓰기는 그 뒤로 드라이브가 쉬었으므로 이어서 할 수 없음: 같은 명령으로 다시 시작할 것
lab-hint-sustain-anew = 멈출 때까지의 기록은 `{ $path }`에 있음. 새로 시작하세요: `ssdlab sustain { $target }`
lab-other-plan = 측정을 계획한 ssdlab { $version }과 달리 이 버전은 같은 벤치마크에 다른 단계를 계획함
lab-hint-other-plan = ssdlab { $version }으로 이어 하거나 새로 시작하세요
lab-other-drive = 측정을 시작한 드라이브가 아님: { $different }
lab-hint-other-drive = 측정을 시작한 드라이브를 연결하거나 새로 시작하세요
lab-differs-model = 모델 `{ $now }`, 전에는 `{ $before }`
lab-differs-serial = 시리얼 번호 `{ $now }`, 전에는 `{ $before }`
lab-differs-capacity = 용량 `{ $now }`, 전에는 `{ $before }`
lab-differs-block = 논리 블록 `{ $now }`, 전에는 `{ $before }`
lab-differs-name = 이름 `{ $now }`, 전에는 `{ $before }`
lab-not-own-content = { $what }에 있는 것이 이 측정의 것이 아닐 수 있음: { $why }
lab-hint-erase = 잃어도 되면: `--erase { $name }`

## 지속 쓰기
lab-sustain-directory = 지속 쓰기는 디렉터리에 자기 파일을 만듦
lab-not-direct = `{ $path }`에 호스트의 캐시를 거치지 않고 쓸 수 없음: { $error }
lab-hint-direct = 파일 시스템이 직접 I/O(O_DIRECT)를 제공해야 함. 다른 곳이나 드라이브를 지정하세요
lab-no-fstrim = 파일 시스템을 TRIM할 수 없음: { $why }
lab-hint-no-trim = `--trim`을 빼세요
lab-place-gone = `{ $path }` 사라짐
lab-hint-place-gone = 파일 시스템을 마운트 해제했거나 드라이브를 뺐나요?
lab-holds-tag = `{ $target }`에 태그 `{ $tag }` 데이터가 있음: 같은 데이터를 다시 쓰면 잃어버린 쓰기를 알 수 없음
lab-tag-used = 태그 `{ $tag }` 데이터를 { $date }에 이미 씀(`{ $path }`): 같은 데이터를 다시 쓰면 잃어버린 쓰기를 알 수 없음
lab-hint-another-tag = 쓴 적 없는 태그를 쓰세요: `--tag { $tag }-2`
lab-not-opened = `{ $path }` 열 수 없음: { $error }

## 결과 묶음을 만드는 곳
lab-no-bundle = `{ $lab }`에 결과 묶음을 만들 수 없음: { $error }
lab-hint-space = 공간을 비우거나 `--lab DIR`로 결과 묶음을 다른 곳에 두세요
lab-engine-virtual-time = 드라이브 모델은 자체 구동기로 가상 시간에서 재며 { $engine }은 쓰지 않음
lab-same-names = `{ $lab }`에 이 이름의 측정이 { $count }개 있음
lab-hint-elsewhere = `--lab DIR`로 결과 묶음을 다른 곳에 두세요
lab-little-space = `{ $place }`의 빈 공간은 { $free }이고, 이 실행의 결과 묶음에는 { $needed }까지 필요할 수 있음
lab-little-space-beside = 패스가 채운 뒤 `{ $place }`의 빈 공간은 { $free }이고, 이 실행의 결과 묶음에는 { $needed }까지 필요할 수 있음
lab-hint-leave-more = `--leave`로 더 남기거나 `--lab DIR`로 결과 묶음을 다른 곳에 둘 것
lab-interrupted = 실행이 중단됨; 끝난 것은 결과 묶음에 있음
lab-hint-show = 볼 것: `ssdlab show { $path }`
lab-stopped = 실행을 멈춤: { $why }
lab-kept = 끝난 것은 `{ $path }`에 있음
lab-not-written = 결과 묶음을 쓸 수 없음: { $why }; { $kept }
lab-counter-more = 실행이 카운터를 읽은 뒤 드라이브에 { $grown }이 쓰였고, 그중 실행이 쓴 것은 최대 { $allowed }
lab-counter-agrees = 실행이 카운터를 읽은 뒤 드라이브에 { $grown }이 쓰였고, 실행은 { $allowed }까지 썼을 수 있음
lab-content-changed = 실행이 끝날 때 적어 둔 블록의 내용이 달라짐
lab-content-same = 실행이 끝날 때 적어 둔 모든 블록이 그대로임
lab-host-left = { $run }: 호스트를 되돌리지 않고 끝났으나 그 뒤의 재부팅이 되돌림
lab-host-put-back = { $run }: 호스트를 되돌리지 않고 끝남; 그 설정: { $outcomes }
lab-host-so-many = { $count }개 { $outcome }
lab-hint-resume = 이어서 할 것: `ssdlab resume { $path }`
lab-drive-moved = `{ $before }`이던 드라이브는 이제 `{ $now }`
lab-meanwhile-unknown = 그동안 다른 누군가 드라이브에 썼는지 알 수 없음: { $why }
lab-forgets = ssdlab이 끝나면 드라이브에 아무것도 남지 않음
lab-again-from = { $why }: 실행을 `{ $step }`부터 다시 함
lab-again-halfway = 도중에 멈춘 `{ $first }`에 그 이전 상태의 드라이브가 필요함: 실행을 `{ $step }`부터 다시 함
lab-again-unsteady = `{ $unsteady }`는 정상 상태의 드라이브에 쓰는데 이 드라이브는 쉬었음: 실행을 `{ $step }`부터 다시 함
lab-again-step = 도중에 멈춘 `{ $step }`을 다시 함
lab-nothing-again = 다시 할 단계가 없음
## 측정하며 적는 것
lab-by-operator = 사용자가 멈춤
lab-by-operator-in-browser = 사용자가 브라우저에서 멈춤
lab-no-such-writer = 이 호스트의 { $process }번 프로세스는 이 실행을 기록하지 않음
lab-hint-its-host = 실행 중인 호스트나 컨테이너에서 멈출 것
lab-writer-not-reached = 실행을 기록하는 { $process }번 프로세스가 방금 끝났거나 다른 사용자의 것임
lab-kernel-said = 커널, `{ $step }` 중: { $line }
lab-temperature-between-jobs = 이 드라이브는 부하 중에 물으면 I/O가 막힘: `--max-temperature`는 작업 전에만 확인함
lab-host-not-set = { $names } 설정할 수 없음: { $why }
lab-host-not-put-back = { $path }을 { $before }(으)로 되돌릴 수 없음: { $why }
lab-purge-proves-nothing = 퍼지한 상태를 확인할 수 없어 이후 드라이브 상태를 알 수 없음: { $how }
lab-done-again = 측정이 멈췄으므로 `{ $step }`을 다시 함: { $why }
lab-stood-still = `{ $step }` 중에 측정이 멈춤: { $why }
lab-not-steady = `{ $step }`이 벤치마크가 허용한 만큼 쓰고도 Steady State 아님: 이후 결과에 그렇게 표시함
lab-stopped-before-steady = 사용자가 Steady State 전에 `{ $step }`을 멈춤: 이후 결과에 그렇게 표시함
lab-short-way-unproven = `{ $step }`은 긴 길로 감: 퍼지한 상태를 확인할 수 없고, 새것이 아닐 수 있는 드라이브에서 짧은 길은 뜻이 없음
lab-short-way-left = `{ $step }`은 긴 길로 이어 감: 짧은 길로 한 번 채운 뒤 속도가 고르지 않았음
lab-tail-untold = `{ $step }`은 I/O { $ios }개 뒤에 `budget`에 이르러 끝남: { $percent } % 지연 시간에는 { $needed }개가 필요함
lab-drifts = `{ $first }`: `{ $step }` 끝에서 다시 재니 { $change } 달랐고, 두 구간이 허용하는 것보다 큼: 드라이브가 서서히 변하며 그 사이의 모든 점도 그럴 수 있음
lab-probe-not-done = 하지 않음: { $why }
lab-no-io = I/O 없음
lab-moved = { $time } 동안 { $amount }, 평균 { $mean }
lab-moved-at = { $count }바이트, { $rate } MB/s
lab-bad-bytes = { $count }바이트가 쓴 것과 다름
lab-search-open = 아직 찾지 못함
lab-loads-offered = 부하 { $loads }개 제공, 최대 초당 I/O { $rate }회
lab-search-not-found = 찾지 못함: { $why }
lab-search-passed = 작업 { $jobs }개, 초당 읽기 { $rate }: 통과
lab-search-missed = 작업 { $jobs }개, 초당 읽기 { $rate }: { $limit }에 이르지 못함
lab-marks-no-power = 전력 표시는 전력을 쓰는 드라이브에서 읽는 부하이나 이 드라이브는 가상이거나 네트워크에 있음
lab-marks-nothing-to-read = 전력 표시는 읽기 부하이나 읽을 것이 1 MiB도 없음
lab-marks-unread = 전력 표시는 읽기 부하이나 드라이브를 읽을 수 없음: { $why }
lab-hint-marks-real = `--power-marks`를 빼거나 블록 장치를 지정할 것
lab-hint-marks-fill = 먼저 파일에 쓰거나 블록 장치를 지정할 것

lab-rounds-steady = 라운드 { $rounds }회 만에 Steady State
lab-rounds-not-steady = 라운드 { $rounds }회 후에도 Steady State 아님
