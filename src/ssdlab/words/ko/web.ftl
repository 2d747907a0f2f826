# 브라우저로 보는 실험실.

web-serves = 이 호스트의 브라우저로 위 주소를 열 것; { $access ->
        [control] `{ $lab }`의 내용을 보여 주고 실행을 끝내게 할 수 있음
       *[look] `{ $lab }`의 내용을 보여 주기만 하고 아무것도 바꾸지 않음
    }; Ctrl-C로 끝냄
web-port-taken = 포트 { $port }에서 기다릴 수 없음: { $why }
web-other-port = 다른 포트를 지정할 것: `--port 0`은 비어 있는 포트를 씀
web-may-not = 거절됨: `ssdlab web`이 출력한 주소를 토큰까지 모두 이 호스트의 브라우저에서 여십시오.
web-pages = 페이지
web-bench = 작업대
web-library = 모든 실행
web-bench-title = 작업대
web-library-title = 모든 실행
web-made-by = { $access ->
        [control] 읽고, 실행을 끝내게 할 수 있는
       *[look] 읽기만 하는
    } ssdlab { $version }이 보여 줌.
web-stop = 이 실행 멈추기
web-stop-title = 이 실행을 멈출까요?
web-stop-what = { $drive }, `{ $run }`: 프로세스에 끝내라는 신호(SIGTERM)를 보냅니다. 어디까지 했는지 적고 드라이브를 놓으며, 진행 중인 단계에서 한 것은 없어집니다. 그 뒤에는:
web-stop-now = 멈추기
web-stop-not = 계속하게 두기
web-asked-to-stop = 끝내라고 알렸습니다. 진행 중인 I/O가 끝나는 대로 끝납니다.
web-nobody-to-stop = 지금 이 실행을 하는 프로세스 가운데 여기서 끝낼 수 있는 것이 없습니다.
web-licence = 차트 라이브러리의 라이선스
web-connection-lost = 연결이 끊겨 오래된 내용일 수 있습니다. 페이지가 스스로 다시 연결합니다.
web-connection-refused = 서버가 끝났거나 이 페이지를 더는 알지 못합니다. `ssdlab web`이 지금 출력하는 주소를 여십시오.
web-none = –
web-soon = 1초 미만
web-running-runs = 진행 중인 실행
web-nothing-runs = 이 실험실에서 진행 중인 실행이 없습니다.
web-drives = 이 호스트의 드라이브
web-drives-caption = 커널이 아는 대로이며, 이 페이지는 드라이브에 아무 명령도 보내지 않습니다. 시험해도 되는 드라이브는 `ssdlab drives`로 확인합니다.
web-state = 상태
web-is-measured = 측정 중
web-no-run = 실행 없음
web-share = 단계 진행률
web-speed = 대역폭
web-left = 단계의 남은 시간
web-temperature = 온도
web-percent = { $share }%
web-celsius = { $temperature } °C
web-step-of = { $count }단계 중 { $number }번째
web-running = 진행 중
web-chart = 지금까지의 대역폭
web-chart-help = 끌어서 확대하고 두 번 눌러 전체를 봅니다. 키보드에서는 화살표, Page Up, Page Down, Home, End로 값을 읽습니다.
web-strip = 끝난 단계의 가장 느린 I/O:
web-below = { $most } 이하
web-between = { $least }~{ $most }
web-from = { $least } 이상
web-axis-time = 실행 시작부터의 시간
web-axis-speed = MiB/s
web-audit = 지금까지의 검증
web-no-audit-yet = 측정하는 단계가 아직 끝나지 않았습니다.
web-audit-so-far = 통과 { $passed }, 경고 { $warned }, 실패 { $failed }, 알 수 없음 { $unknown }
web-steps = 단계(최근 것부터)
web-step = 단계
web-time = 시간
web-amount = 옮긴 양
web-mean-speed = 평균 대역폭
web-slowest = 가장 느린 I/O
web-run-over = 실행이 끝났습니다.
web-report = 보고서
web-not-running = 지금 이 실행을 하는 프로세스가 없습니다.
web-library-help = 둘 이상을 골라 나란히 봅니다. 가장 최근 실행의 드라이브가 시험 대상이 됩니다.
web-choose = 고르기
web-choose-runs = 비교하려면 둘에서 스물까지 고르십시오.
web-compare = 고른 실행 비교
web-checks-failed = { $count }개 중 { $failed }개 실패
web-checks-passed = { $count }개, 실패 없음
web-no-runs = 이 실험실에는 아직 실행이 없습니다.
web-unreadable = 읽을 수 없는 것:
web-cannot-show = 보여 줄 수 없음
web-not-found = 그런 페이지나 실행이 없습니다.
