# 명령줄이 알리는 것.

cli-swapped = 스위트와 대상의 순서가 바뀜
cli-caution = 주의: { $caution }
cli-no-drives = 이 호스트에는 크기가 있는 블록 장치가 없음
cli-usage = 사용법: `{ $usage }`
cli-help-says-more = 자세한 것은 `{ $command } --help`
cli-report-fault-file = `{ $path }`의 내용과 함께 알려 줄 것
cli-report-fault = 다음 내용과 함께 알려 줄 것:
cli-all-will-be-lost = { $what }의 모든 데이터가 없어짐
cli-import-not-again = `{ $path }`: { $program }로 측정했으므로 다시 계산할 수 없음
cli-import-originals = 받은 파일은 그대로 `{ $original }`에 있음
cli-failed-check = 실패: { $step }: { $name }: { $finding }
cli-failed-check-again = 실패: { $name }: { $count }회 더
cli-damaged = 손상: { $fault }
cli-note = 참고: { $note }
cli-too-little-memory = `ulimit -v`가 허용하는 메모리는 { $allowed }이고, ssdlab에는 { $needed }이 필요함
cli-allow-more-memory = 더 허용할 것: `ulimit -v unlimited`
cli-plan-room = 결과 묶음은 대략 { $likely }; 쓰는 동안 fio의 로그까지 최대 { $most }이 필요함
cli-no-endurance = `{ $text }`: 보증 쓰기량이 아님
cli-write-endurance = 데이터 시트처럼 쓸 것: `--endurance 600TBW`
cli-warning = 경고: { $text }
cli-no-block-device = `{ $target }`: 블록 장치가 아님
cli-others-purge-themselves = 다른 대상은 새로 만들거나, 실행할 때 자동으로 비움
cli-purge-unproven = 이것으로 드라이브가 공장 출고 상태임이 증명되지는 않음
cli-no-run-for-post = 글을 쓸 ssdlab의 실행이 없음
cli-name-a-run = 가져온 결과 외에 실행을 적어도 하나 지정할 것
cli-nothing-left = 남은 일이 없음: 이 실행의 모든 단계가 끝남
cli-steps-left = 남은 단계 { $left }개, 그중 { $again }개는 다시 함: { $reason }
cli-audit-failed = 감사: { $step }: { $name }: { $finding }
cli-more-steps = 단계 `{ $name }...` { $count }개가 더 있고 합계만 남음 (`--json`에 있음)
cli-resumed = { $at }에 재개: 단계 { $count }개를 다시 함: { $reason }
cli-no-directory = 디렉터리 `{ $target }`이 없음
cli-make-directory = 만들 것: `mkdir -p { $target }`
cli-trim-and-verify = `--trim`은 `--verify-tag`가 읽을 데이터를 없앰
cli-leave-trim-out = `--trim`을 뺄 것
cli-used-drive-note = 참고: 쓰던 드라이브는 더 느릴 수 있음; `--trim --rest 15min`은 블록을 돌려주고 드라이브가 안정되게 함
cli-write-only-and-tag = 남겨 둘 데이터에는 이름이, 이름에는 남겨 둘 데이터가 필요함
cli-give-both = 둘 다 지정할 것: `--write-only --tag T`
cli-passes-no-number = `--passes { $text }`: 숫자가 아님
cli-passes-number = 숫자나 `forever`를 지정할 것
cli-unknown-choice = `{ $option } { $text }`: 알 수 없는 값
cli-allowed-choices = 허용되는 값: { $allowed }
cli-verify-tag-only-reads = `--verify-tag`는 읽기만 함
cli-leave-write-only-out = `--write-only`와 `--tag`를 뺄 것
cli-error = 오류: { $what }
cli-hint = 도움말: { $what }
cli-next = 다음: `{ $command }`
cli-own-fault = ssdlab 자체의 결함: { $kind }: { $what }
cli-column-metric = 지표
cli-column-ratio = 비율
cli-name-of-runs = { $name } (실행 { $runs }회)
cli-not-measured = 측정하지 않음
cli-compared = { $outcome ->
        [faster] 더 빠름
        [slower] 더 느림
        [larger] 더 큼
        [smaller] 더 작음
        [alike] 실제로는 비슷함
        [better] 더 좋음
        [worse] 더 나쁨
        [untold] 판단할 수 없음
        [excluded] 측정이 멈춘 적이 있어 세지 않음
       *[level] 비슷함
    }
cli-compared-count = { $name }: { $counts } (수치 { $rows }개 중)
cli-compared-outcome = { $outcome } { $count }개
cli-compared-rule = 비슷함: 수치 차이가 { $percent } % 이하. 실제로는 비슷함: 차이가 그 이하이지만 95 % 구간은 겹치지 않음. 판단할 수 없음: 차이는 더 크지만 구간이 겹침.
cli-compared-more = 생략: { $items }; `--all`이면 모두 보여 줌
cli-compared-hidden = { $what ->
        [differing] 차이가 있는 수치 { $count }개 더
        [untold] 판단할 수 없는 수치 { $count }개
        [excluded] 세지 않은 수치 { $count }개
       *[level] 첫 드라이브와 차이가 없는 수치 { $count }개
    }
cli-compared-unmatched = 비교하지 않음: 첫 드라이브에만 있거나 첫 드라이브에 없는 수치 { $count }개
cli-column-first-drive = 첫 드라이브
cli-column-least = 최소
cli-column-most = 최대
cli-column-value = 값
cli-also-measured = 함께 측정함: { $more } (`--json`에 있음)
cli-failed = 실패 { $check }
cli-steps-of-status = { $status } { $count }개
cli-step-status = { $status ->
        [planned] 예정
        [started] 시작
        [interrupted] 중단
        [failed] 실패
        [skipped] 건너뜀
       *[finished] 완료
    }
cli-status-because = { $status }: { $reason }
cli-after-about = { $status }, { $whole } 중 약 { $done } 이후
cli-suite = { $suite } { $version } (프로필 { $profile })
cli-suite-not-comparable = { $suite } { $version } (프로필 { $profile }, 비교할 수 없음)
cli-on-target = { $suite }, 대상 { $target }
cli-into-bundle = { $suite } -> { $bundle }
cli-published-copy = 공개용 사본: 소유자가 신원을 밝히지 않음
cli-signed-checked = 서명: { $by }, 확인 { $at }
cli-run-status = { $status ->
        [finished] 완료
        [interrupted] 중단
        [failed] 실패
        [stopped] 정지
       *[unfinished] 미완료: 아직 실행 중이거나 기록 없이 끝남 (강제 종료, 정전)
    }
cli-profiles = 프로필: { $profiles }
cli-vdrive-capacity = 용량
cli-vdrive-largest-cache = 최대 SLC 캐시
cli-vdrive-smallest-cache = 최소 SLC 캐시
cli-column-day = 날짜
cli-column-drive = 드라이브
cli-column-serial = 시리얼
cli-column-suite = 스위트
cli-column-profile = 프로필
cli-column-engine = 엔진
cli-column-status = 상태
cli-column-audit = 감사
cli-column-run = 실행
cli-column-firmware = 펌웨어
cli-column-host = 호스트
cli-column-first = 처음
cli-column-last = 마지막
cli-column-change = 변화
cli-column-times = 횟수
cli-column-median = 중앙값
cli-column-runs = 실행 수
cli-column-spread = 범위
cli-column-measured = 측정일
cli-unknown = 알 수 없음
cli-from-to = { $low } ~ { $high }
cli-run-status-brief = { $status ->
        [finished] 완료
        [interrupted] 중단
        [failed] 실패
        [stopped] 정지
        [unfinished] 미완료
        [imported] 가져옴
       *[other] { $status }
    }
cli-directions-apart = 읽기와 쓰기 각각
cli-so-much-of = { $whole } 중 { $done }
cli-time-left = { $left } 남음
cli-skipped = 건너뜀, { $why }
cli-all-done = { $done }개 완료{ $skipped ->
        [0] { "" }
       *[other] , { $skipped }개는 필요 없음
    }, { $took }
cli-ctrl-c-ends = (Ctrl-C는 이 단계를 끝내고 결과를 남김)
cli-passes-of = 결과 묶음 { $bundle }, 패스당 { $length }
cli-no-temperature = 온도 없음: { $why }
cli-drive-rests = 드라이브를 { $rest } 동안 쉬게 함
cli-sustain-record = { $phase ->
        [read] 읽기
       *[write] 쓰기
    } { $number }  { $whole } 중 { $done }  { $speed } MB/s, 최저 { $worst }
cli-time-in-all = 모두 { $left }
cli-time-left-in-all = 모두 { $left } 남음
cli-plan-step = 단계
cli-plan-jobs = 작업
cli-plan-writes = 쓰기
cli-plan-rests = 휴식
cli-plan-slow-drive = 느린 드라이브
cli-plan-fast-drive = 빠른 드라이브
cli-plan-twin = 쌍둥이
cli-plan-state-before = 이전 상태
cli-plan-if-interrupted = 중단되면
cli-plan-skipped = 건너뜀
cli-plan-redo = 끝나지 않은 것만
cli-plan-from-purge = 비운 뒤의 모든 것
cli-plan-and-more = { $jobs ->
        [0] { "" }
       *[other] { $jobs }
    } 이상
cli-plan-skip = { $extent ->
        [part] 일부 건너뜀
       *[whole] 건너뜀
    }, { $reason }
cli-plan-repeats = 측정점 { $points }개를 각각 { $least }회, 마지막 세 번의 RSE가 { $limit } % 미만이 될 때까지 최대 { $most }회
cli-plan-until-steady = { $least } 이후 드라이브가 정상 상태가 되면 끝남{ $ctrl_c ->
        [run] { "" }
       *[step] , 또는 Ctrl-C를 누르면 끝남
    }; 시간은 쓸 수 있는 최대량의 것임
cli-plan-pass = 짧은 길의 한 번 채우기: 가비지 컬렉션이 보일 때까지 덮어쓰며, 많아야 여기 적힌 만큼 씀
cli-plan-short-way = 짧은 길: 앞에서 한 번 채운 뒤 속도가 곧 고르지 않으면 긴 길로 이어 가며, 모두 { $least }을 쓰기 전에는 끝나지 않음
cli-no-extra = 이 명령에 필요한 패키지가 설치되어 있지 않음: 추가 구성 `{ $extra }`
cli-hint-extra = `pip install 'ssdlab[{ $extra }]'`로 설치할 것
cli-plan-by-fio = 발표된 그대로 fio가 정해진 시간 동안 함
cli-plan-until-known = 각 점은 평균의 오차가 ± { $within } % 안에 들면 끝남; 시간은 점이 가장 길 때의 것임
cli-plan-tail = 각 측정점은 방향마다 { $percent } % 지연 시간을 말할 수 있을 때까지 계속함: I/O { $ios }개
cli-plan-of-points = { $note }; 다음 점만: { $points }
cli-plan-of-more-points = { $note }; 다음 점만: { $points } 외 { $more }개
cli-plan-expected = 일부는 스스로 끝남: 예상은 느린 드라이브에서 { $on_slow }과 { $slow }, 빠른 드라이브에서 { $on_fast }과 { $fast }; 위는 모두 가장 길 때의 것임
cli-plan-asks = 진행하면서 필요한 만큼 더 실행함: 대개 { $jobs }회 이하, { $took }
cli-plan-too-little = `--max-write`의 허용량 { $allowed }: 부족함, 적어도 { $least }을 씀
cli-plan-may-stop = `--max-write`의 허용량 { $allowed }: 멈출 수 있음, { $ends ->
        [time] 빠른 드라이브라면 { $least } ~ { $most }을 쓰고, 더 빠르면 더 많이 씀
       *[amount] { $least } ~ { $most }을 씀
    }
cli-plan-enough = `--max-write`의 허용량 { $allowed }: 충분함, 최대 { $most }을 씀
cli-plan-writes-so-much = 드라이브에 { $written }을 씀
cli-plan-writes-timed = 드라이브에 { $written }을 쓰고 { $timed } 동안 최대 속도로 씀 ({ $low } ~ { $high })
cli-plan-and-rests = { $writes }, 휴식 { $rest }
cli-plan-endurance = { $ends ->
        [time] 빠른 드라이브라면 드라이브의 보증 쓰기량 { $rated } 중 최대 { $share }을 쓰고, 더 빠르면 더 많이 씀
       *[amount] 드라이브의 보증 쓰기량 { $rated } 중 최대 { $share }을 씀
    }
cli-plan-takes = { $drive ->
        [slow] 느린
       *[fast] 빠른
    } 드라이브에서 { $took } 걸림: { $speed } MiB/s, I/O 하나에 { $io } µs
cli-missing-argument = 인수 { $name }이 없음
cli-missing-option = 옵션 { $name }이 없음
cli-no-such-option = 옵션 { $name }은 알 수 없음
cli-no-such-option-but = 옵션 { $name }은 알 수 없음 (비슷한 옵션: { $others })
cli-bad-value = { $name }의 값이 잘못됨: { $why }
cli-type-name = 계속하려면 { $kind } { $name }을 입력할 것
cli-plan-refused = 지금 실행하면 거부됨: { $why }
cli-plan-erases = 실행하면 { $what }의 데이터를 지우므로 `--erase { $name }`이 필요함
cli-plan-lost = { $erases }; 함께 없어지는 것: { $losses }
cli-column-model = 모델
cli-column-size = 크기
cli-column-link = 링크
cli-column-temperature = 온도
cli-column-may-test = 시험 가능?
cli-may-not = 불가
cli-may-if-lost = 내용이 없어져도 된다면 가능
cli-may = 가능: 아무것도 없고 아무도 쓰지 않음
cli-drive-forbids = 금지: { $what }
cli-drive-would-be-lost = 없어짐: { $what }
cli-link-best = { $now } (최대 { $best })
cli-doctor-target = 대상
cli-doctor-kernel = 커널
cli-doctor-board = 메인보드
cli-doctor-cpu = CPU
cli-doctor-fio = fio
cli-doctor-queue = 큐
cli-doctor-link = 링크
cli-doctor-board-bios = { $board }, BIOS { $bios }
cli-doctor-cpu-settings = 거버너 { $governor }, 부스트 { $boost }, SMT { $smt }
cli-info = 정보: { $what }
cli-to-do = 할 일: { $remedy }
cli-doctor-unfit = 지금 측정하지 말 것: 수치를 믿을 수 없게 됨
cli-doctor-fit-but = 경고한 점이 있지만 측정할 수 있음
cli-doctor-fit = 측정에 알맞음
cli-undone-by-start = 그 뒤 커널이 다시 시작되어 모두 되돌아감
cli-put-back = { $path }: { $before } { $outcome }
cli-put-back-because = { $back } ({ $why })
cli-erase-interrupted = { $at }에 중단된 { $model }(시리얼 번호 { $serial }) 소거
cli-no-password = 암호 없음
cli-maybe-password = 암호가 있을 수 있음: { $why }
cli-nothing-to-put-back = 되돌릴 것을 남긴 실행이 없음
cli-probe-not-done = 하지 않음: { $why }
cli-probe-state = 드라이브 상태
cli-column-probe = 탐침
cli-probe-not-possible = 불가능: { $why }
cli-need-any = 무관
cli-need-written = 쓴 상태
cli-need-in-order = 순서대로 쓴 상태
cli-need-purged = 비운 상태
cli-option-empty = `--{ $what }`에 아무 말이 없음
cli-fill-at-most = 드라이브는 최대 `100%`까지 참
cli-not-imported = 가져오지 못함: { $why }
cli-no-reason = `{ $text }`: 이유가 아님. `--reason RUN=WORDS`처럼 쓸 것
cli-no-name = `{ $text }`: 드라이브 이름이 아님. `--name RUN=이름`으로 쓰세요
cli-without-none = `{ $path }`을(를) 제외하라고 했지만, 그 측정은 목록에 없음
cli-without-too-few = 비교할 드라이브 둘이 남는 그림이 없음
cli-without-leave-two = 제외할 드라이브를 줄이거나 같은 모음의 측정을 더 줄 것
cli-name-for-none = `{ $path }`의 이름이 주어졌지만, 그 측정은 목록에 없음
cli-name-for-import = `{ $path }`: 가져온 결과이므로 `--name`으로 드라이브 이름을 정할 수 없음
cli-name-on-import = 가져올 때 드라이브 이름을 지정할 것: `ssdlab import FILE --model NAME`
cli-several-names = `{ $path }`의 드라이브에 이름이 { $count }개임
cli-one-name = 그 측정 중 하나에 하나만 지정할 것
cli-compare-one = 측정이 하나뿐이라 비교할 것이 없음
cli-compare-another = 다른 드라이브의 측정을 지정하세요: `ssdlab compare { $run } RUN`. 목록은 `ssdlab library list`
cli-option-after = `{ $name }`은(는) 명령 뒤에 씀
cli-power-fit = { $meter }: 실행 시작 때 계측기 시계 { $offset_s } s, { $drift_ppm } ppm, { $edges }개 가운데 { $used }개의 경계로 ± { $error_ms } ms까지 앎
cli-style-without-pictures = `--size`, `--theme`, `--watermark`는 그림에 적용됨: `--png DIR`을 더할 것
cli-goes-on-alone = 실행은 터미널 없이 계속됨(프로세스 { $process }); 정상적으로 끝내려면: `kill { $process }`
cli-next-attach = 지켜볼 것: `ssdlab attach { $path }`
cli-written-by = 이 실행의 프로세스: { $process }; Ctrl-C는 지켜보기만 그만둠, 정상적으로 끝내려면: `kill { $process }`
cli-left-alone = 실행은 계속됨; 다시 지켜보려면: `ssdlab attach { $path }`
cli-run-lost = `{ $path }`에 끝났다는 기록이 없고 쓰는 프로세스도 없음: 강제 종료되었거나 전원이 끊김
