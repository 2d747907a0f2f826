# 여러 호스트: 호스트마다의 에이전트, 함께 쓰는 대기열, 결과 묶음의 저장소.

fleet-not-made = 데이터베이스에 플릿이 없음
fleet-hint-init = 거기에 만들기: `ssdlab fleet init`
fleet-no-database = 데이터베이스를 쓸 수 없음: { $why }
fleet-hint-database = --database나 SSDLAB_DATABASE로 postgresql://USER@HOST/NAME처럼 지정할 것
fleet-no-address = 데이터베이스로 준 것을 주소로 읽을 수 없음
fleet-hint-password = 주소에 적는 비밀번호의 `@`는 `%40`, `/`는 `%2F`, `%`는 `%25`로 쓰거나, 되도록 `~/.pgpass`에 둘 것
fleet-made-before = 데이터베이스에 이미 플릿이 있음
fleet-made = 데이터베이스 준비됨: 각 호스트의 `ssdlab agent`에 그 주소를 줄 것
fleet-other-version = 다른 버전의 ssdlab이 만든 플릿: 테이블의 버전은 { $found }, 이 ssdlab이 아는 버전은 { $known }
fleet-hint-version = 모든 호스트에서 같은 버전의 ssdlab을 쓸 것
fleet-rules-absolute = `/`부터 전체 경로를 쓸 것
fleet-store-where = `/`부터 전체 경로를 쓰거나 `s3://BUCKET/PREFIX`를 쓸 것
fleet-hint-store-where = 버킷의 서비스와 키는 `AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`에서 읽음
fleet-store-settings = 환경 변수만으로는 버킷에 닿는 방법을 알 수 없음: { $why }
fleet-rules-long-serial = 시리얼 번호는 { $most }바이트를 넘지 않음
fleet-rules-twice = { $serial }: 두 번 적혀 있음
fleet-rules-not-own = { $path }: root와 에이전트의 사용자 말고도 쓸 수 있어, 남이 드라이브를 지우게 할 수 있음
fleet-rules-make-own = chown root { $path }; chmod 644 { $path }
fleet-second-agent = 이 호스트의 다른 에이전트가 { $state }을(를) 쓰고 있음
fleet-hint-second-agent = 에이전트 하나가 호스트의 모든 드라이브를 맡음
fleet-no-such-drive = 이 호스트에 시리얼 번호 { $serial }인 드라이브가 없음
fleet-other-drive = { $serial }의 자리에 { $found }이(가) 있음
fleet-not-allowed = 호스트의 운영자가 { $serial }의 시험을 허락하지 않음
fleet-budget-spent = 플릿이 { $serial }에 쓴 것은 { $written }, 운영자가 평생에 걸쳐 허락한 것은 { $most }
fleet-another-since = 이 실행이 멈춘 뒤 { $serial }에서 다른 실행이 있었으므로 이어 갈 수 없음: 새로 제출할 것
fleet-other-target = { $serial }의 자리는 지금 { $now }, 실행을 시작한 자리는 { $before }
fleet-keeps-dying = 실행하는 프로세스가 거듭 강제로 끝남. 마지막으로 남긴 말: { $said }
fleet-store-changes = 결과 묶음 { $name }: 저장소에서 읽은 것이 쓴 것과 다름
fleet-store-has-another = 저장소에 이름이 { $name }인 다른 결과 묶음이 있음
fleet-store-has-none = 저장소에 이름이 { $name }인 결과 묶음이 없음
fleet-fetched-before = { $path }이(가) 이미 있음
fleet-no-bundle = 호스트에 실행의 결과 묶음이 더는 없음
fleet-agent-ready = 준비됨, 호스트 { $host }
fleet-agent-waits = 실행은 이어지고 새로 시작하지는 않음: { $why }
fleet-agent-run = 실행 { $number }: { $told }
fleet-submitted = 제출됨
fleet-asked-again = 다시 요청됨
fleet-taken-up = 호스트의 에이전트가 맡음
fleet-begun = 시작됨
fleet-gone-on = `ssdlab resume`으로 이어 감
fleet-waits = 기다리며, 저절로 이어 감: { $why }
fleet-waits-quiet = 호스트의 `runs = "quiet"`: 다른 실행이 드라이브를 쓰고 있음
fleet-waits-host = { $host } 호스트를 기다림: { $silence }
fleet-waits-drive = 드라이브를 쓰고 있는 { $number }번 실행이 끝나기를 기다림
fleet-waits-quiet-behind = { $number }번 실행이 끝나기를 기다림: 호스트가 한 번에 하나만 함(`runs = "quiet"`)
fleet-waits-behind = 앞에 있는 { $number }번 실행을 기다림
fleet-waits-agent = 호스트의 에이전트가 다음으로 맡음
fleet-over = 모든 단계가 끝남
fleet-store-away = 저장소에 닿을 수 없음: { $why }
fleet-stored = 저장소에 { $name }(으)로 들어감
fleet-asked-to-stop = 멈추라고 요청됨
fleet-cancel-in-browser = 브라우저에서 취소를 요청함
fleet-retry-in-browser = 브라우저에서 다시 요청함
fleet-submit-in-browser = 브라우저에서 제출함
fleet-cancelled = 취소됨
fleet-cancelled-number = 실행 { $number } 취소됨
fleet-stopping-number = 실행 { $number } 멈추는 중
fleet-retried-number = 실행 { $number }: 다시 차례를 기다림
fleet-is-over = 실행 { $number }: 이미 끝남
fleet-not-to-retry = 실행 { $number }: 실패하지도 취소되지도 않음
fleet-no-such-run = 실행 { $number }: 없음
fleet-hint-status = `ssdlab fleet status`가 모두 보여 줌
fleet-happening = { $at }  { $told }
fleet-rebuilt = 목록에 실행 { $count ->
       *[other] { $count }개
    }
fleet-no-condition = `{ $text }`: 조건이 아님. KEY=PATTERN으로 쓰며 KEY는 { $keys }
fleet-no-drive-meets = { $conditions }에 맞는 비어 있는 드라이브가 플릿에 없음
fleet-hint-drives = `ssdlab fleet drives`가 모두와, 시험할 수 없는 까닭을 보여 줌
fleet-suite-reads = { $suite }: 실행되는 호스트의 파일을 읽는데, 작업은 그런 파일을 지정할 수 없음: { $files }
fleet-hint-suite-reads = 본문 밖의 파일이 필요 없고 ssdlab에 딸린 혼합만 쓰는 스위트를 제출할 것. 이 스위트는 그 호스트에서 직접 실행할 것: `ssdlab run`
fleet-column-host = 호스트
fleet-column-standing = 처지
fleet-column-number = 실행
fleet-column-state = 상태
fleet-column-steps = 단계
fleet-host-silent = { $since }부터 소식 없음
fleet-drive-busy = 실행 { $number }
fleet-standing = { $standing ->
        [free] 비어 있음
        [refused] 거부됨
        [absent] 없음
       *[not_allowed] 허락되지 않음
    }
fleet-state = { $state ->
        [queued] 대기
        [running] 실행 중
        [stopping] 멈추는 중
        [storing] 저장 중
        [done] 끝남
        [failed] 실패
       *[cancelled] 취소됨
    }
