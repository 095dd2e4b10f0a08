"""The pytest plugin: tests with @plait.check show Plait's story in the place of a traceback. `pytest -p plait_pytest`."""
import plait
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.excinfo is not None and isinstance(call.excinfo.value, plait.Found):
        report.longrepr = str(call.excinfo.value)
